// The unchanging tables of a board: its lines, their segments of k squares, and which of them run through each square.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace tengen {

using Square = std::uint16_t;     // column + row * width
using SegmentId = std::uint16_t;  // segments are numbered by direction, then by line, then along the line

struct Geometry {
    // Segments with neighbouring numbers, as bits of a word in a set of all segments.
    struct Span {
        std::uint64_t mask;
        std::uint32_t word;
    };

    // Segments with neighbouring numbers.
    struct Run {
        SegmentId first;
        std::uint8_t count;
        std::uint8_t place;  // of the square in the first of them; in each further one it is one less
    };

    static constexpr int directions = 4;
    static constexpr int max_k = 64;  // a segment fits into a word

    int width, height, k;
    int squares, segments = 0;
    int lines = 0;                             // in all four directions
    std::vector<Square> segment_squares;       // k squares for each segment
    std::vector<std::uint16_t> segment_line;   // the line that each segment lies on
    std::vector<std::uint32_t> segment_start;  // the place of its first square on the strip: all lines of all directions, one after another
    std::vector<std::uint32_t> strip;          // for each square, its four places on the strip
    std::vector<Run> runs;                     // for each square and direction, the segments through it
    std::vector<std::uint32_t> first_span;     // for each square, where its entries in `spans` begin: the same once more, as bits
    std::vector<Span> spans;
    std::vector<std::uint64_t> same_line;      // [distance][word]: the segments whose neighbour so far on lies on the same line

    // The tables of a board, made once for the boards that are asked for again and again.
    static std::shared_ptr<const Geometry> of(int width, int height, int k) {
        static constexpr std::size_t kept = 8;
        static std::mutex lock;
        static std::vector<std::shared_ptr<const Geometry>> known;  // the last used last
        const std::lock_guard guard(lock);
        for (std::size_t i = 0; i < known.size(); ++i)
            if (known[i]->width == width && known[i]->height == height && known[i]->k == k) {
                known.push_back(known[i]);
                known.erase(known.begin() + std::ptrdiff_t(i));
                return known.back();
            }
        known.push_back(std::make_shared<const Geometry>(width, height, k));
        if (known.size() > kept) known.erase(known.begin());
        return known.back();
    }

    Geometry(int width, int height, int k) : width(width), height(height), k(k), squares(width * height) {
        if (width < 1 || height < 1 || width > 128 || height > 128) throw std::invalid_argument("a search board has 1 to 128 squares a side");
        if (k < 1 || k > max_k) throw std::invalid_argument("the search knows k from 1 to 64");
        constexpr int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
        const auto is_inside = [&](int x, int y) { return x >= 0 && x < width && y >= 0 && y < height; };
        strip.resize(std::size_t(squares) * directions);
        runs.resize(strip.size());
        std::uint32_t place = 0;
        for (int d = 0; d < directions; ++d)
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    if (is_inside(x - dx[d], y - dy[d])) continue;  // lines begin at the edge
                    std::vector<Square> line;
                    for (int i = 0; is_inside(x + i * dx[d], y + i * dy[d]); ++i) line.push_back(Square(x + i * dx[d] + (y + i * dy[d]) * width));
                    for (std::size_t i = 0; i < line.size(); ++i) strip[std::size_t(line[i]) * directions + std::size_t(d)] = place + std::uint32_t(i);
                    const bool has_segments = k > 1 || d == 0;  // a single square is one segment, not four
                    for (std::size_t first = 0; has_segments && first + std::size_t(k) <= line.size(); ++first) {
                        for (std::size_t i = 0; i < std::size_t(k); ++i) {
                            Run& run = runs[std::size_t(line[first + i]) * directions + std::size_t(d)];
                            if (run.count++ == 0) run.first = SegmentId(segments), run.place = std::uint8_t(i);
                        }
                        segment_squares.insert(segment_squares.end(), line.begin() + std::ptrdiff_t(first), line.begin() + std::ptrdiff_t(first) + k);
                        segment_line.push_back(std::uint16_t(lines));
                        segment_start.push_back(place + std::uint32_t(first));
                        if (++segments > 0xffff) throw std::invalid_argument("the board has too many segments");
                    }
                    ++lines;
                    place += std::uint32_t(line.size());
                }
        for (Square square = 0; square < squares; ++square) {
            first_span.push_back(std::uint32_t(spans.size()));
            each_through(square, [&](SegmentId id) {
                if (spans.size() == first_span.back() || spans.back().word != id / 64u) spans.push_back({0, id / 64u});
                spans.back().mask |= std::uint64_t(1) << id % 64;
            });
        }
        first_span.push_back(std::uint32_t(spans.size()));
        same_line.resize(std::size_t(k) * segment_words());
        for (std::size_t distance = 1; distance < std::size_t(k); ++distance)
            for (std::size_t id = 0; id + distance < std::size_t(segments); ++id)
                if (segment_line[id] == segment_line[id + distance])
                    same_line[distance * segment_words() + id / 64] |= std::uint64_t(1) << id % 64;
    }

    std::uint32_t place_on_strip(Square s, int direction) const { return strip[std::size_t(s) * directions + std::size_t(direction)]; }
    const Run& run(Square s, int direction) const { return runs[std::size_t(s) * directions + std::size_t(direction)]; }

    template <class Visit>
    void each_through(Square s, Visit visit) const {
        for (int d = 0; d < directions; ++d)
            for (int i = 0; i < run(s, d).count; ++i) visit(SegmentId(run(s, d).first + i));
    }

    const Square* squares_of(int segment) const { return segment_squares.data() + std::size_t(segment) * std::size_t(k); }
    std::size_t segment_words() const { return std::size_t(segments) / 64 + 1; }  // in a set of all segments
};

}  // namespace tengen
