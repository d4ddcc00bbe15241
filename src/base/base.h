// Included by nearly every file: errors, memory, parsing of names and numbers typed by a user, and
// the parts of the C library that they need.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name.h"
