// The unchanging tables of a board: its segments of k squares, and which of them run through each square.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tengen {

using Square = std::uint16_t;     // column + row * width
using SegmentId = std::uint16_t;  // segments are numbered by direction, then by their first square

struct Geometry {
    struct Through {
        SegmentId segment;
        std::uint8_t place;  // where in the segment the square stands
    };

    int width, height, k;
    int squares, segments;
    int lines;                                // in all four directions
    std::vector<Square> segment_squares;      // k squares for each segment
    std::vector<std::uint16_t> segment_line;  // the line that each segment lies on
    std::vector<std::uint32_t> first_through;  // for each square, where its entries in `through` begin
    std::vector<Through> through;

    Geometry(int width, int height, int k) : width(width), height(height), k(k), squares(width * height), segments(0), lines(height + width + 2 * (width + height)) {
        if (width < 1 || height < 1 || width > 128 || height > 128) throw std::invalid_argument("a search board has 1 to 128 squares a side");
        if (k < 1 || k > 64) throw std::invalid_argument("the search knows k from 1 to 64");
        constexpr int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
        std::vector<std::vector<Through>> lists(static_cast<std::size_t>(squares));
        for (int d = 0; d < 4; ++d)
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    const int ex = x + (k - 1) * dx[d], ey = y + (k - 1) * dy[d];
                    if (ex >= width || ey < 0 || ey >= height) continue;
                    if (k == 1 && d > 0) continue;  // a single square is one segment, not four
                    for (int i = 0; i < k; ++i) {
                        const int square = (x + i * dx[d]) + (y + i * dy[d]) * width;
                        segment_squares.push_back(Square(square));
                        lists[std::size_t(square)].push_back({SegmentId(segments), std::uint8_t(i)});
                    }
                    const int line[] = {y, height + x, height + width + x - y + height, height + 2 * width + height + x + y};
                    segment_line.push_back(std::uint16_t(line[d]));
                    if (++segments > 0xffff) throw std::invalid_argument("the board has too many segments");
                }
        for (const auto& list : lists) {
            first_through.push_back(std::uint32_t(through.size()));
            through.insert(through.end(), list.begin(), list.end());
        }
        first_through.push_back(std::uint32_t(through.size()));
    }

    const Square* squares_of(int segment) const { return segment_squares.data() + std::size_t(segment) * std::size_t(k); }
};

}  // namespace tengen
