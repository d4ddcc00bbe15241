// MuJoCo or the scenes missing, of another version, or damaged.
#include "rolling.h"

#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "world/sawyer.h"

static const char *inside(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_inside(const char *name) {
    assert_int_equal(mkdir(inside(name), 0700), 0);
}

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(inside(name), "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
}

// Must run first: once MuJoCo is loaded it stays loaded.
TEST(test_mujoco) {
    tot_task *task = NULL;
    setenv("MUJOCO_DIR", inside("nowhere"), 1);
    assert_fails(tot_mujoco_check(NULL, NULL), TOT_E_MISSING, "MUJOCO_DIR");
    assert_fails(tot_task_load(&task, "push", NULL), TOT_E_MISSING, "scripts/deps");

    // a library of another version, and one that is not MuJoCo
    setenv("MUJOCO_DIR", TEST_OLD_MUJOCO, 1);
    assert_fails(tot_task_load(&task, "push", NULL), TOT_E_MISSING, "MuJoCo 3.2.9");
    setenv("MUJOCO_DIR", TEST_EMPTY_MUJOCO, 1);
    assert_fails(tot_task_load(&task, "push", NULL), TOT_E_MISSING, "no function");

    // a file that is not a library
    make_inside("lib");
    write_text("lib/libmujoco.so.3.3.0", "not a library");
    setenv("MUJOCO_DIR", folder, 1);
    assert_fails(tot_task_load(&task, "push", NULL), TOT_E_MISSING, "libmujoco.so.3.3.0");
    assert_null(task);
    assert_string_equal(world_mujoco_path(), "");

    unsetenv("MUJOCO_DIR");
    const char *path = NULL;
    const char *version = NULL;
    assert_ok(tot_mujoco_check(&path, &version));
    assert_string_equal(version, "3.3.0");
    assert_int_equal(access(path, R_OK), 0);
}

TEST(test_scenes) {
    tot_task *task = NULL;
    const char *found = NULL;
    assert_ok(tot_scenes_check(&found));
    assert_non_null(strstr(found, "assets"));

    setenv("METAWORLD_DIR", inside("nowhere"), 1);
    assert_fails(tot_scenes_check(NULL), TOT_E_MISSING, "METAWORLD_DIR");
    assert_fails(tot_task_load(&task, "push", NULL), TOT_E_MISSING, "scripts/deps");

    make_inside("assets");
    make_inside("assets/sawyer_xyz");
    setenv("METAWORLD_DIR", folder, 1);
    assert_ok(tot_scenes_check(&found));
    assert_fails(tot_task_load(&task, "push", NULL), TOT_E_MISSING, "sawyer_push_v3.xml");
    setenv("METAWORLD_DIR", inside("assets"), 1);
    assert_ok(tot_scenes_check(NULL));

    // damaged, truncated, and a different scene than expected
    static const char *const scenes[] = {
        "",
        "<mujoco>",
        "<mujoco><include file=\"../scene/nothing.xml\"/></mujoco>",
        "<mujoco><worldbody><geom size=\"-1\"/></worldbody></mujoco>",
        "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>",
    };
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        write_text("assets/sawyer_xyz/sawyer_push_v3.xml", scenes[k]);
        assert_fails(tot_task_load(&task, "push", NULL), TOT_E_FORMAT, "sawyer_push_v3.xml");
        assert_null(strchr(tot_error(), '\n'));
        assert_null(task);
    }
    unsetenv("METAWORLD_DIR");
    assert_ok(tot_task_load(&task, "push", NULL));
    tot_task_free(task);
}

TEST_MAIN(make_folder, remove_folder)
