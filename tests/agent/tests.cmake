# The station `agent`: system calls that are made to fail by a test.
if(NOT "agent" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

target_link_options(agent_replay_disk_test PRIVATE
  -Wl,--wrap=pwrite,--wrap=fsync,--wrap=fdatasync)
