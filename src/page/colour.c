#include "page/colour.h"

#include <math.h>

// Control points of the map in OKLab (lightness, green to red, blue to yellow), with evenly spaced
// lightness. Chosen so that the curve stays inside sRGB.
static const double stations[][3] = {
    {0.24, 0.026, -0.097},  {0.38, 0.004, -0.125}, {0.52, -0.055, -0.097},
    {0.66, -0.108, -0.010}, {0.80, -0.102, 0.102}, {0.94, -0.031, 0.126},
};

enum { LAST_STATION = sizeof stations / sizeof stations[0] - 1, FINE = 1024, DASHES = 3 };

// Distinguishable with any colour vision: the OKLab distance of any two is at least 0.08, with
// normal vision and under simulation of the three kinds of colour blindness.
static const char *const on_light[PAGE_SERIES_COLOURS] = {
    "#1264bc", "#cb641e", "#58a388", "#8c4b70", "#1e1e7f", "#b777e6", "#4f570c", "#4d2100",
};
static const char *const on_dark[PAGE_SERIES_COLOURS] = {
    "#6aaef5", "#f0954a", "#86ece4", "#c05c80", "#4d77d8", "#bb8eae", "#7d8c0a", "#f7cd8d",
};

static double station(int index, int part) {
    // extrapolate linearly past both ends
    if (index < 0) {
        return 2 * stations[0][part] - stations[1][part];
    }
    if (index > LAST_STATION) {
        return 2 * stations[LAST_STATION][part] - stations[LAST_STATION - 1][part];
    }
    return stations[index][part];
}

// A Catmull-Rom spline through the control points; place is in [0, 1].
static void curve(double place, double lab[3]) {
    double along = place * LAST_STATION;
    int index = along < LAST_STATION ? (int)along : LAST_STATION - 1;
    double t = along - index;
    for (int part = 0; part < 3; part++) {
        double a = station(index - 1, part);
        double b = station(index, part);
        double c = station(index + 1, part);
        double d = station(index + 2, part);
        lab[part] =
            b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
    }
}

static unsigned char encode(double linear) {
    double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    return (unsigned char)lround(255 * value);
}

// OKLab to sRGB.
static void convert(const double lab[3], unsigned char rgb[3]) {
    double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
    double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
    double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    rgb[0] = encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    rgb[1] = encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    rgb[2] = encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

void page_colour_map(unsigned char colours[PAGE_COLOUR_COUNT][3]) {
    // sample the curve finely, to place colours at equal distances along it
    double distance[FINE + 1];
    double before[3];
    curve(0, before);
    distance[0] = 0;
    for (int k = 1; k <= FINE; k++) {
        double lab[3];
        curve((double)k / FINE, lab);
        double step = 0;
        for (int part = 0; part < 3; part++) {
            step += (lab[part] - before[part]) * (lab[part] - before[part]);
            before[part] = lab[part];
        }
        distance[k] = distance[k - 1] + sqrt(step);
    }
    int k = 0;
    for (int index = 0; index < PAGE_COLOUR_COUNT; index++) {
        double wanted = distance[FINE] * index / (PAGE_COLOUR_COUNT - 1);
        while (k < FINE - 1 && distance[k + 1] < wanted) {
            k++;
        }
        double lab[3];
        double part = (wanted - distance[k]) / (distance[k + 1] - distance[k]);
        curve((k + part) / FINE, lab);
        convert(lab, colours[index]);
    }
}

void page_colour_add_rules(page_buffer *out) {
    for (int k = 0; k < PAGE_SERIES_COLOURS; k++) {
        page_buffer_add_format(out, ".s%d{color:%s}", k, on_light[k]);
    }
    page_buffer_add(out, "\n@media screen and (prefers-color-scheme:dark){");
    for (int k = 0; k < PAGE_SERIES_COLOURS; k++) {
        page_buffer_add_format(out, ".s%d{color:%s}", k, on_dark[k]);
    }
    page_buffer_add(out, "}\n");
}

void page_colour_add_class(page_buffer *out, size_t index) {
    page_buffer_add_format(out, "s%d d%d", (int)(index % PAGE_SERIES_COLOURS),
                           (int)(index / PAGE_SERIES_COLOURS % DASHES));
}
