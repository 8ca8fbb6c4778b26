// The board of the game room: stones, and for every k squares in a row how many stones of each colour they hold.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tengen {

enum Colour : int { black = 0, white = 1 };

// A mixer whose output depends on nothing but its input, so that hashes agree between machines and runs (splitmix64).
inline std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Hash of one stone. It knows the square, not the board, so that a window may move over an infinite board.
inline std::uint64_t stone_key(int x, int y, int colour) {
    return mix((std::uint64_t(std::uint32_t(x)) << 33) ^ (std::uint64_t(std::uint32_t(y)) << 1) ^ std::uint64_t(colour));
}

class Board {
public:
    static constexpr int directions = 4;
    static constexpr int max_k = 255;
    static constexpr int max_side = 1024;

    // The board covers the squares (left .. left+width-1, bottom .. bottom+height-1).
    Board(int width, int height, int k, int left, int bottom)
        : width_(width), height_(height), k_(k), left_(left), bottom_(bottom) {
        if (width < 1 || height < 1 || width > max_side || height > max_side)
            throw std::invalid_argument("a board has 1 to 1024 squares a side");
        if (k < 1 || k > max_k) throw std::invalid_argument("k is 1 to 255");
        // Margins of k-1 squares right, above and below make every segment through a square addressable. Segments that
        // stick out are counted too, but can never fill up: nobody places a stone in the margin.
        const int margin = k - 1;
        stride_ = width + margin;
        first_ = margin * (stride_ + 1);
        cells_ = first_ + (height + margin) * stride_ + margin;
        steps_[0] = 1;
        steps_[1] = stride_;
        steps_[2] = stride_ + 1;
        steps_[3] = 1 - stride_;
        stones_.assign(cells_, empty);
        for (auto& of_colour : counts_) of_colour.assign(std::size_t(directions) * cells_, 0);
    }

    int width() const { return width_; }
    int height() const { return height_; }
    int k() const { return k_; }
    int left() const { return left_; }
    int bottom() const { return bottom_; }
    std::uint64_t key() const { return key_; }
    int count(int colour) const { return placed_[colour]; }
    bool has_row(int colour) const { return full_[colour] > 0; }

    bool contains(int x, int y) const {
        return unsigned(x - left_) < unsigned(width_) && unsigned(y - bottom_) < unsigned(height_);
    }

    // 0 black, 1 white, -1 empty.
    int at(int x, int y) const { return contains(x, y) ? stones_[cell(x, y)] : empty; }

    // False, and nothing done, if the square is occupied or off the board.
    bool place(int x, int y, int colour) {
        if (!contains(x, y)) return false;
        const int c = cell(x, y);
        if (stones_[c] != empty) return false;
        place_cell(c, colour);
        key_ ^= stone_key(x, y, colour);
        return true;
    }

    bool remove(int x, int y) {
        if (!contains(x, y)) return false;
        const int c = cell(x, y);
        const int colour = stones_[c];
        if (colour == empty) return false;
        remove_cell(c, colour);
        key_ ^= stone_key(x, y, colour);
        return true;
    }

    // The stones of one colour, row by row from below.
    std::vector<std::pair<int, int>> stones(int colour) const {
        std::vector<std::pair<int, int>> squares;
        squares.reserve(std::size_t(placed_[colour]));
        for (int y = bottom_; y < bottom_ + height_; ++y)
            for (int x = left_; x < left_ + width_; ++x)
                if (stones_[cell(x, y)] == colour) squares.emplace_back(x, y);
        return squares;
    }

    struct Segment {
        int x, y, direction, black, white;
    };

    // Every segment that lies on the board, by direction, then by its first square.
    template <class Visit>
    void each_segment(Visit visit) const {
        for (int d = 0; d < directions; ++d)
            for (int y = bottom_; y < bottom_ + height_; ++y)
                for (int x = left_; x < left_ + width_; ++x)
                    if (on_board(x, y, d)) visit(segment(x, y, d));
    }

    std::vector<Segment> segments() const {
        std::vector<Segment> found;
        each_segment([&found](const Segment& s) { found.push_back(s); });
        return found;
    }

    // The segments through one square.
    std::vector<Segment> segments_through(int x, int y) const {
        std::vector<Segment> found;
        if (!contains(x, y)) return found;
        for (int d = 0; d < directions; ++d)
            for (int i = k_ - 1; i >= 0; --i) {
                const int sx = x - i * dx[d], sy = y - i * dy[d];
                if (on_board(sx, sy, d)) found.push_back(segment(sx, sy, d));
            }
        return found;
    }

    // The squares of one full row, all of it where it is longer than k; empty where the colour has none.
    std::vector<std::pair<int, int>> row(int colour) const {
        std::vector<std::pair<int, int>> squares;
        if (!has_row(colour)) return squares;
        for (const Segment& s : segments()) {
            if ((colour == black ? s.black : s.white) < k_) continue;
            int x = s.x, y = s.y;
            const int stepx = dx[s.direction], stepy = dy[s.direction];
            while (at(x - stepx, y - stepy) == colour) x -= stepx, y -= stepy;
            for (; at(x, y) == colour; x += stepx, y += stepy) squares.emplace_back(x, y);
            break;
        }
        return squares;
    }

    // The hash that the stones would have after each of the 8 symmetries: bit 2 swaps the axes, then bit 0 mirrors the
    // columns and bit 1 the rows. `floating` is for infinite boards, where only the stones have an outline: it is
    // centred on (9, 9).
    std::array<std::uint64_t, 8> symmetry_keys(bool floating) const {
        struct Stone {
            int x, y, colour;
        };
        std::vector<Stone> stones;
        int x0 = left_, y0 = bottom_, x1 = left_ + width_ - 1, y1 = bottom_ + height_ - 1;
        if (floating) std::swap(x0, x1), std::swap(y0, y1);
        for (int y = bottom_; y < bottom_ + height_; ++y)
            for (int x = left_; x < left_ + width_; ++x) {
                const int colour = stones_[cell(x, y)];
                if (colour == empty) continue;
                stones.push_back({x, y, colour});
                if (floating) {
                    x0 = std::min(x0, x), x1 = std::max(x1, x);
                    y0 = std::min(y0, y), y1 = std::max(y1, y);
                }
            }
        std::array<std::uint64_t, 8> keys{};
        for (int s = 0; s < 8; ++s) {
            int w = x1 - x0, h = y1 - y0;
            if (s & 4) std::swap(w, h);
            const int left = floating ? 9 - w / 2 : left_, bottom = floating ? 9 - h / 2 : bottom_;
            for (const Stone& stone : stones) {
                int x = stone.x - x0, y = stone.y - y0;
                if (s & 4) std::swap(x, y);
                if (s & 1) x = w - x;
                if (s & 2) y = h - y;
                keys[s] ^= stone_key(x + left, y + bottom, stone.colour);
            }
        }
        return keys;
    }

    // For hot loops of other rooms: squares by their place in memory (`cell`), segments by direction and first square.
    // Stones placed by cell are not in the key.

    static constexpr int dx[directions] = {1, 0, 1, 1};
    static constexpr int dy[directions] = {0, 1, 1, -1};

    int cells() const { return cells_; }
    int cell(int x, int y) const { return first_ + (y - bottom_) * stride_ + (x - left_); }
    int step(int direction) const { return steps_[direction]; }
    int stone(int cell) const { return stones_[std::size_t(cell)]; }
    int stones_on(int colour, int direction, int cell) const {
        return counts_[colour][std::size_t(direction) * std::size_t(cells_) + std::size_t(cell)];
    }

    bool on_board(int x, int y, int d) const {
        return contains(x, y) && contains(x + (k_ - 1) * dx[d], y + (k_ - 1) * dy[d]);
    }

    void place_cell(int c, int colour) {
        stones_[c] = std::int8_t(colour);
        ++placed_[colour];
        for (int d = 0; d < directions; ++d) {
            std::uint8_t* count = counts_[colour].data() + std::size_t(d) * cells_ + c;
            for (int i = 0; i < k_; ++i, count -= steps_[d]) full_[colour] += ++*count == k_;
        }
    }

    void remove_cell(int c, int colour) {
        stones_[c] = empty;
        --placed_[colour];
        for (int d = 0; d < directions; ++d) {
            std::uint8_t* count = counts_[colour].data() + std::size_t(d) * cells_ + c;
            for (int i = 0; i < k_; ++i, count -= steps_[d]) full_[colour] -= (*count)-- == k_;
        }
    }

    // Places and removes a stone on every empty square, `rounds` times over; returns how many stones were placed.
    std::uint64_t exercise(int rounds) {
        std::uint64_t placed = 0;
        for (int r = 0; r < rounds; ++r)
            for (int y = bottom_; y < bottom_ + height_; ++y)
                for (int x = left_; x < left_ + width_; ++x) {
                    if (!place(x, y, r & 1)) continue;
                    remove(x, y);
                    ++placed;
                }
        return placed;
    }

private:
    static constexpr std::int8_t empty = -1;

    Segment segment(int x, int y, int d) const {
        const std::size_t i = std::size_t(d) * cells_ + cell(x, y);
        return {x, y, d, counts_[black][i], counts_[white][i]};
    }

    int width_, height_, k_, left_, bottom_;
    int stride_ = 0, first_ = 0, cells_ = 0;
    int steps_[directions] = {};
    std::vector<std::int8_t> stones_;
    std::vector<std::uint8_t> counts_[2];  // [colour][direction * cells + first square]
    int full_[2] = {0, 0};
    int placed_[2] = {0, 0};
    std::uint64_t key_ = 0;
};

}  // namespace tengen
