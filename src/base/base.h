// What nearly every file begins with: errors, memory, names and numbers that a user types, and the
// parts of the C library that come with them.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name.h"
#include "base/parse.h"
