// Which of many sets the clues of a band leave open, looked up row by row.
#pragma once

#include <cstring>

#include "sudoku_grid.hpp"

namespace tengen::sudoku {

// An unavoidable set, divided among the bands at hand: two whose clues are known, and the third.
struct Parts {
    std::uint32_t first, second, third;

    bool is_open(std::uint32_t a, std::uint32_t b) const { return !(first & a) && !(second & b); }
};

template <int words>
class OpenSets {
public:
    struct Bits {
        std::uint64_t word[words];
    };

    void clear() {
        std::memset(through_, 0, sizeof through_);
        used_ = {};
    }

    bool has(int word, int bit) const { return used_.word[word] >> bit & 1; }

    void add(int word, int bit, std::uint32_t cells) {
        used_.word[word] |= std::uint64_t(1) << bit;
        for (; cells; cells &= cells - 1) through_[std::countr_zero(cells)].word[word] |= std::uint64_t(1) << bit;
    }

    // After the last set.
    void build() {
        for (int row = 0; row < 3; ++row) {
            rows_[row][0] = used_;
            for (unsigned cells = 1; cells < 512; ++cells) {
                const Bits& without = rows_[row][cells & (cells - 1)];
                const Bits& hit = through_[9 * row + std::countr_zero(cells)];
                for (int w = 0; w < words; ++w) rows_[row][cells].word[w] = without.word[w] & ~hit.word[w];
            }
        }
    }

    Bits operator()(std::uint32_t clues) const {
        const Bits &a = rows_[0][clues & 0777], &b = rows_[1][clues >> 9 & 0777], &c = rows_[2][clues >> 18];
        Bits open;
        for (int w = 0; w < words; ++w) open.word[w] = a.word[w] & b.word[w] & c.word[w];
        return open;
    }

    // One word of it, for those who may not need the others.
    std::uint64_t word(int w, std::uint32_t clues) const {
        return rows_[0][clues & 0777].word[w] & rows_[1][clues >> 9 & 0777].word[w] & rows_[2][clues >> 18].word[w];
    }

private:
    Bits through_[27], used_;
    Bits rows_[3][512];  // by the cells of the row that are clues
};

}  // namespace tengen::sudoku
