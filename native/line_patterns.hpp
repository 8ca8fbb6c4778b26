// Line patterns: what a row of own stones and empty squares is worth, and what one more stone on it makes of that.
//
// Levels are numbers that compare: 0 nothing, 1+2l dead-l, 2+2l live-l, 2*need+t for t threats (need = k-p stones make a
// segment a threat), `row` for k in a row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board.hpp"

namespace tengen {

class LinePatterns {
public:
    using Level = std::uint16_t;
    static constexpr Level row = 0xffff;
    enum Cell : char { empty = 0, own = 1, blocked = 2 };

    // Of one empty square on a line: the level in reach of it, with a stone of the owner there, with one of his opponent.
    struct Point {
        Level now, extended, cut;
    };

    LinePatterns(int k, int p) : k_(k), need_(std::max(1, k - p)), reach_(2 * (k - 1)) {
        if (k < 1 || k > Board::max_k) throw std::invalid_argument("k is 1 to 255");
        if (p < 1) throw std::invalid_argument("p is at least 1");
        if (k <= max_table_k) {
            table_.resize(std::size_t(1) << (2 * (reach_ + 1)));
            pieces_.resize(std::size_t(1) << (reach_ + 1));
        }
    }

    int need() const { return need_; }
    int reach() const { return reach_; }

    // What the table takes (the hash map, about), and how many of its entries have been needed so far.
    std::size_t bytes() const { return table_.size() * sizeof(Entry) + pieces_.size() + cache_.size() * bytes_a_line(); }
    std::size_t entries() const { return filled_ + cache_.size(); }

    // The level of any line.
    Level level(const std::string& cells) {
        Level found = 0;
        for (std::size_t first = 0; first < cells.size(); ++first) {
            const std::size_t end = std::min(cells.find(char(blocked), first), cells.size());
            found = together(found, run_level(cells.data() + first, int(end - first)));
            first = end;
        }
        return found;
    }

    // Calls `visit` with the place and the Point of every empty square of a line.
    template <class Visit>
    void each_point(const std::string& cells, Visit visit) {
        const int size = int(cells.size());
        for (int first = 0; first < size; ++first) {
            int end = first;
            while (end < size && cells[std::size_t(end)] != blocked) ++end;
            if (table_.empty())
                each_cached(cells, first, end, visit);
            else
                each_tabled(cells, first, end, visit);
            first = end;
        }
    }

    // Calls `visit(x, y, direction, Point)` for every empty square and direction of a board. Beyond an `endless` board's
    // edge there are empty squares: it is a window.
    template <class Visit>
    void survey(const Board& board, int colour, bool endless, Visit visit) {
        constexpr int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
        const int padding = endless ? reach_ : 0;
        std::string cells;
        for (int d = 0; d < Board::directions; ++d)
            for (int sy = board.bottom(); sy < board.bottom() + board.height(); ++sy)
                for (int sx = board.left(); sx < board.left() + board.width(); ++sx) {
                    if (board.contains(sx - dx[d], sy - dy[d])) continue;
                    cells.assign(std::size_t(padding), char(empty));
                    int x = sx, y = sy;
                    for (; board.contains(x, y); x += dx[d], y += dy[d]) {
                        const int stone = board.at(x, y);
                        cells.push_back(char(stone < 0 ? empty : stone == colour ? own : blocked));
                    }
                    const int length = int(cells.size()) - padding;
                    cells.append(std::size_t(padding), char(empty));
                    each_point(cells, [&](int place, const Point& point) {
                        const int i = place - padding;
                        if (i >= 0 && i < length) visit(sx + i * dx[d], sy + i * dy[d], d, point);
                    });
                }
    }

private:
    // Up to this k two codes index a table (8 MB for k = 6, sixteen times as much for k = 7); beyond it, lines are hashed.
    static constexpr int max_table_k = 6;
    static constexpr std::size_t max_cached_bytes = std::size_t(64) << 20;

    // Levels in a byte, plus one, so that a new entry says that nobody has worked it out.
    struct Entry {
        std::uint8_t now = 0, extended = 0;
    };
    static std::uint8_t packed(Level level) { return level == row ? 255 : std::uint8_t(level + 1); }
    static Level unpacked(std::uint8_t byte) { return byte == 255 ? row : Level(byte - 1); }

    // Of the hash map: an entry, its key on the heap, and the pointers around it.
    std::size_t bytes_a_line() const {
        return sizeof(std::pair<const std::string, Point>) + std::size_t(2 * reach_ + 2) + 4 * sizeof(void*);
    }

    // The level of a line that an opposing stone divides. Threats add up. Nothing less does: the stones that are to make
    // two threats at once must all lie on both segments.
    Level together(Level a, Level b) const {
        if (a == row || b == row) return row;
        const Level last = Level(2 * need_);
        return a > last && b > last ? Level(a + b - last) : std::max(a, b);
    }

    // The level of squares without an opposing stone.
    //
    // Without a threat, c being the most stones on a segment, need-c more make one threat. They make two at once just if
    // they all lie on two segments of c stones and leave no empty square common to both: that is, if two such segments
    // share exactly need-c empty squares.
    Level run_level(const char* cells, int size) {
        if (size < k_) return 0;
        before_.assign(1, 0);
        for (int i = 0; i < size; ++i) before_.push_back(before_.back() + (cells[i] == own));
        const int segments = size - k_ + 1;
        int most = 0, threats = 0, mark = -1;
        for (int first = 0; first < segments; ++first) {
            const int stones = before_[first + k_] - before_[first];
            if (stones == k_) return row;
            most = std::max(most, stones);
            if (stones < need_ || mark >= first) continue;
            ++threats;
            for (mark = first + k_ - 1; cells[mark] == own;) --mark;
        }
        if (threats > 0) return Level(2 * need_ + threats);
        if (k_ == 1) return 0;  // one more stone wins and threatens nothing
        for (int first = 0; first < segments; ++first) {
            if (before_[first + k_] - before_[first] != most) continue;
            for (int second = first + 1; second < std::min(segments, first + k_); ++second) {
                const int shared = first + k_ - second - (before_[first + k_] - before_[second]);
                if (shared < need_ - most) break;
                if (shared == need_ - most && before_[second + k_] - before_[second] == most) return Level(2 + 2 * most);
            }
        }
        return Level(1 + 2 * most);
    }

    // A code is the squares on one side of a point, the nearest in the lowest bit, below a bit that says how many they are.
    std::uint32_t pushed(std::uint32_t code, char cell) const {
        code = code << 1 | std::uint32_t(cell == own);
        const std::uint32_t full = std::uint32_t(1) << reach_;
        return code < full << 1 ? code : (code & (full - 1)) | full;
    }

    static void append_code(std::string& cells, std::uint32_t code, bool mirrored) {
        const std::size_t first = cells.size();
        for (; code > 1; code >>= 1) cells.push_back(char(code & 1 ? own : empty));
        if (mirrored) std::reverse(cells.begin() + std::ptrdiff_t(first), cells.end());
    }

    template <class Visit>
    void each_tabled(const std::string& cells, int first, int end, Visit& visit) {
        right_codes_.resize(cells.size());
        std::uint32_t code = 1;
        for (int i = end - 1; i >= first; --i) {
            right_codes_[std::size_t(i)] = code;
            code = pushed(code, cells[std::size_t(i)]);
        }
        code = 1;
        for (int i = first; i < end; ++i) {
            const char cell = cells[std::size_t(i)];
            if (cell == empty) visit(i, tabled(code, right_codes_[std::size_t(i)]));
            code = pushed(code, cell);
        }
    }

    Point tabled(std::uint32_t left, std::uint32_t right) {
        Entry& entry = table_[std::size_t(left) << (reach_ + 1) | right];
        if (entry.now == 0) {
            scratch_.clear();
            append_code(scratch_, left, true);
            const std::size_t place = scratch_.size();
            scratch_.push_back(char(empty));
            append_code(scratch_, right, false);
            entry.now = packed(run_level(scratch_.data(), int(scratch_.size())));
            scratch_[place] = char(own);
            entry.extended = packed(run_level(scratch_.data(), int(scratch_.size())));
            ++filled_;
        }
        return {unpacked(entry.now), unpacked(entry.extended), together(piece(left), piece(right))};
    }

    Level piece(std::uint32_t code) {
        std::uint8_t& entry = pieces_[code];
        if (entry == 0) {
            scratch_.clear();
            append_code(scratch_, code, false);
            entry = packed(run_level(scratch_.data(), int(scratch_.size())));
        }
        return unpacked(entry);
    }

    template <class Visit>
    void each_cached(const std::string& cells, int first, int end, Visit& visit) {
        for (int i = first; i < end; ++i) {
            if (cells[std::size_t(i)] != empty) continue;
            const int from = std::max(first, i - reach_), to = std::min(end, i + reach_ + 1);
            scratch_.assign(cells, std::size_t(from), std::size_t(to - from));
            scratch_[std::size_t(i - from)] = char(blocked);
            const auto known = cache_.find(scratch_);
            visit(i, known == cache_.end() ? remembered(i - from) : known->second);
        }
    }

    // The point at a place of the line in `scratch_`, which has a blocked square there: so one key tells line and place.
    Point remembered(int place) {
        const std::string key = scratch_;
        const int size = int(key.size());
        Point point;
        point.cut = together(run_level(key.data(), place), run_level(key.data() + place + 1, size - place - 1));
        scratch_[std::size_t(place)] = char(empty);
        point.now = run_level(scratch_.data(), size);
        scratch_[std::size_t(place)] = char(own);
        point.extended = run_level(scratch_.data(), size);
        if ((cache_.size() + 1) * bytes_a_line() > max_cached_bytes) cache_.clear();
        cache_.emplace(key, point);
        return point;
    }

    int k_, need_, reach_;
    std::vector<Entry> table_;           // by the codes of both sides
    std::vector<std::uint8_t> pieces_;   // by the code of one side
    std::unordered_map<std::string, Point> cache_;
    std::size_t filled_ = 0;
    std::vector<int> before_;            // own stones before each square of the line at hand
    std::vector<std::uint32_t> right_codes_;
    std::string scratch_;
};

}  // namespace tengen
