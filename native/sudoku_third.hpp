// The third band: how few clues can do there when those of the other two are known, and where they can be.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "sudoku_open_sets.hpp"

namespace tengen::sudoku {

class ThirdBand {
public:
    ThirdBand(std::uint32_t given, std::uint32_t allowed) : given_(given), dead_(band_bits & ~allowed) {}

    // A set of the other two bands alone is kept too, though only few of them: others come back sooner than they are asked for.
    void add(const Parts& parts) {
        if (parts.third || inside_++ < many_inside) sets_.push_back(parts);
    }

    // After sets were added, and before questions are asked.
    void build() {
        if (sets_.size() > 64 * set_words) {  // keep those that are open most often and leave the fewest choices
            sort_by([](const Parts& set) { return count(set.first) + count(set.second) + 2 * count(set.third); });
            sets_.resize(64 * set_words);
        }
        sort_by([](const Parts& set) { return count(set.third); });
        build_sockets();
        first_sets_.clear();
        second_sets_.clear();
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            first_sets_.add(int(i / 64), int(i % 64), sets_[i].first);
            second_sets_.add(int(i / 64), int(i % 64), sets_[i].second);
        }
        first_sets_.build();
        second_sets_.build();
        late_.clear();
        last_first_ = ~0u;
    }

    // The pairs and triples of cells in one mini-row that must have a clue, by their numbers (see `socket_cells`).
    std::uint64_t open_sockets(std::uint32_t first, std::uint32_t second) {
        if (first != last_first_) {  // callers ask for many seconds with the same first
            last_first_ = first;
            open_first_ = first_sockets_(first);
        }
        const auto open_second = second_sockets_(second);
        std::uint64_t open = 0;
        for (int w = 0; w < socket_words; ++w) open |= open_first_.word[w] & open_second.word[w];
        return open;
    }

    static constexpr int sockets = 36;
    static std::uint32_t socket_cells(int socket) {
        constexpr std::uint32_t kinds[] = {3, 5, 6, 7};
        return kinds[socket / 9] << 3 * (socket % 9);
    }

    // So many clues at least: a mini-row with all three pairs needs two, one with any socket needs one, and the mini-rows without
    // may hold sets of their own.
    int at_least(std::uint64_t open) const {
        const std::uint32_t x = open & 0777, y = open >> 9 & 0777, z = open >> 18 & 0777, all = open >> 27 & 0777;
        const std::uint32_t any = x | y | z | all;
        return count(any) + count(x & y & z) + apart_[any];
    }

    // Tries all ways to place so many clues beside those that are given. `judge` is called with the clues of the third band when
    // all known sets have one; it returns true if that is a puzzle, else a set that is open. Then all ways to add the
    // clues that are left are told to `found`. A set without a cell in this band ends the search.
    template <class Judge, class Found>
    void complete(std::uint32_t first, std::uint32_t second, int clues, Judge&& judge, Found&& found) {
        if (late_.size() >= many_late) build();
        auto& open = open_[0];
        open.clear();
        const auto a = first_sets_(first), b = second_sets_(second);
        for (int w = 0; w < set_words; ++w)
            for (std::uint64_t left = a.word[w] & b.word[w]; left; left &= left - 1)
                add_open(open, sets_[std::size_t(64 * w + std::countr_zero(left))].third);
        for (const Parts& parts : late_)
            if (parts.is_open(first, second)) add_open(open, parts.third);
        if (!open.empty() && !open[0]) return;  // no clue here can help the other two bands
        place(0, given_, dead_, clues, judge, found);
    }

    // A set that was found in between: used from now on, if slowly until `build`.
    void learn(const Parts& parts) {
        if (!parts.third && inside_ >= many_inside) return;
        add(parts);
        late_.push_back(parts);
    }

private:
    static constexpr int set_words = 24, socket_words = 8;
    static constexpr std::size_t many_late = 64;
    static constexpr int many_inside = 128;

    template <class Key>
    void sort_by(Key key) {
        std::stable_sort(sets_.begin(), sets_.end(), [&](const Parts& a, const Parts& b) { return key(a) < key(b); });
    }

    void build_sockets() {
        first_sockets_.clear();
        second_sockets_.clear();
        std::vector<std::uint32_t> own;
        for (const Parts& parts : sets_) {
            if (!parts.first && !parts.second) own.push_back(parts.third);
            if (!parts.third) continue;
            const int mini_row = std::countr_zero(parts.third) / 3;
            const std::uint32_t cells = parts.third >> 3 * mini_row;
            if (cells > 7 || count(cells) < 2) continue;
            const int socket = mini_row + 9 * (cells == 3 ? 0 : cells == 5 ? 1 : cells == 6 ? 2 : 3);
            for (int w = 0; w < socket_words; ++w) {
                if (first_sockets_.has(w, socket)) continue;
                first_sockets_.add(w, socket, parts.first);
                second_sockets_.add(w, socket, parts.second);
                break;
            }
        }
        first_sockets_.build();
        second_sockets_.build();
        for (std::uint32_t taken = 0; taken < 512; ++taken) {
            std::uint32_t used = 0;
            for (int m = 0; m < 9; ++m)
                if (taken >> m & 1) used |= 7u << 3 * m;
            apart_[taken] = 0;
            for (std::uint32_t set : own)
                if (!(set & used)) {
                    used |= set;
                    ++apart_[taken];
                }
        }
    }

    // Sets come smallest first but for late ones, so that a set with a known one inside is seen to be needless.
    static void add_open(std::vector<std::uint32_t>& open, std::uint32_t set) {
        for (std::uint32_t known : open)
            if ((known & set) == known) return;
        open.push_back(set);
    }

    // Returns false if the other two bands cannot be completed at all.
    template <class Judge, class Found>
    bool place(std::size_t depth, std::uint32_t in, std::uint32_t dead, int left, Judge& judge, Found& found) {
        auto& open = open_[depth];
        if (open.empty()) {
            const std::uint32_t fresh = judge(in);
            if (fresh == is_puzzle) {
                add_clues(in, band_bits & ~in & ~dead, left, found);
                return true;
            }
            if (!fresh) return false;
            open.push_back(fresh);
        }
        std::uint32_t used = 0;
        int apart = 0;
        for (std::uint32_t set : open)
            if (const std::uint32_t live = set & ~dead; !(live & used)) {
                used |= live;
                if (++apart > left || !live) return true;
            }
        if (apart == left) dead |= ~used;  // each of these sets takes one clue, so no clue is elsewhere
        std::uint32_t branch = 0;
        int fewest = 28;
        for (std::uint32_t set : open)
            if (const int size = count(set & ~dead); size < fewest) {
                fewest = size;
                branch = set & ~dead;
            }
        auto& next = open_[depth + 1];
        for (; branch; branch &= branch - 1) {
            const std::uint32_t cell = branch & -branch;
            next.clear();
            for (std::uint32_t set : open)
                if (!(set & cell)) next.push_back(set);
            if (!place(depth + 1, in | cell, dead, left - 1, judge, found)) return false;
            dead |= cell;
        }
        return true;
    }

    template <class Found>
    static void add_clues(std::uint32_t in, std::uint32_t free, int more, Found& found) {
        if (more == 0) return found(in);
        for (; count(free) >= more; free &= free - 1) add_clues(in | (free & -free), free & (free - 1), more - 1, found);
    }

public:
    static constexpr std::uint32_t is_puzzle = ~0u;  // what `judge` says if there is no open set

private:
    std::uint32_t given_, dead_;
    std::vector<Parts> sets_, late_;
    int inside_ = 0;
    OpenSets<set_words> first_sets_, second_sets_;
    OpenSets<socket_words> first_sockets_, second_sockets_;
    std::uint8_t apart_[512];
    std::uint32_t last_first_ = ~0u;
    OpenSets<socket_words>::Bits open_first_;
    std::array<std::vector<std::uint32_t>, 29> open_;  // for each depth, what still needs a clue
};

}  // namespace tengen::sudoku
