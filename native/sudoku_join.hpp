// Joins two lists of words: finds all pairs without a common bit.
//
// A word says which of 64 unavoidable sets the clues of one band leave open, so pairs without a common bit are the ways to
// place clues in two bands that leave none open. The lists have up to millions of entries and few pairs remain, so the words
// of one list are sorted into buckets by a few bits, and what cannot go with a bucket is left out of the other list at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tengen::sudoku {

struct Words {
    std::vector<std::uint64_t> word;
    std::vector<std::uint32_t> value;  // what each word belongs to

    void resize(std::size_t size) {
        word.resize(size);
        value.resize(size);
    }
    std::size_t size() const { return word.size(); }
};

template <class Found, class Look>
class Join {
public:
    // Calls `found` with the two values of each pair, and `look` now and then.
    Join(Found& found, Look& look) : found_(found), look_(look) {}

    void run(const Words& left, const Words& right) {
        level(0, left.word.data(), left.value.data(), left.size(), right.word.data(), right.value.data(), right.size());
    }

private:
    static constexpr int bits = 6, levels = 6;
    static constexpr std::size_t few = 12;

    void level(int depth, const std::uint64_t* left, const std::uint32_t* left_value, std::size_t lefts,
               const std::uint64_t* right, const std::uint32_t* right_value, std::size_t rights) {
        look_();
        if (lefts <= few || rights <= few || depth == levels) {
            for (std::size_t i = 0; i < lefts; ++i) pairs(left[i], left_value[i], right, right_value, rights);
            return;
        }
        Scratch& scratch = scratch_[depth];
        scratch.left.resize(lefts);
        if (scratch.right.size() < rights) scratch.right.resize(rights);
        const int shift = bits * depth;
        std::size_t starts[(1 << bits) + 1] = {};
        for (std::size_t i = 0; i < lefts; ++i) ++starts[(left[i] >> shift & mask) + 1];
        for (std::size_t b = 0; b <= mask; ++b) starts[b + 1] += starts[b];
        std::size_t next[1 << bits];
        std::memcpy(next, starts, sizeof next);
        for (std::size_t i = 0; i < lefts; ++i) {
            const std::size_t place = next[left[i] >> shift & mask]++;
            scratch.left.word[place] = left[i];
            scratch.left.value[place] = left_value[i];
        }
        for (std::size_t b = 0; b <= mask; ++b) {
            const std::size_t start = starts[b], count = starts[b + 1] - start;
            if (!count) continue;
            const std::uint64_t taken = std::uint64_t(b) << shift;
            std::uint64_t* const word = scratch.right.word.data();
            std::uint32_t* const value = scratch.right.value.data();
            std::size_t fit = 0;
            for (std::size_t i = 0; i < rights; ++i) {
                word[fit] = right[i];
                value[fit] = right_value[i];
                fit += !(right[i] & taken);
            }
            if (fit) level(depth + 1, scratch.left.word.data() + start, scratch.left.value.data() + start, count, word, value, fit);
        }
    }

    void pairs(std::uint64_t one, std::uint32_t one_value, const std::uint64_t* right, const std::uint32_t* right_value,
               std::size_t rights) {
        for (std::size_t i = 0; i < rights; ++i)
            if (!(one & right[i])) found_(one_value, right_value[i]);
    }

    static constexpr std::size_t mask = (1 << bits) - 1;
    struct Scratch {
        Words left, right;
    };
    Scratch scratch_[levels];
    Found& found_;
    Look& look_;
};

}  // namespace tengen::sudoku
