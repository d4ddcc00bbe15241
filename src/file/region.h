// Regions of pictures: left, top, right, bottom as fractions of width and height.
#pragma once

// The smallest region around low .. high (horizontal, vertical) that lies inside the picture and
// has its aspect ratio: width and height are the same fraction, at least `least`. Rounded to 0.001,
// so that it can be stored as text.
void file_region_around(const double low[2], const double high[2], double least, double region[4]);
