// The search of Lin's thesis: hitting sets of unavoidable sets, with disjoint sets as lower bound (DMUS) and its improvement by
// shrinking them. Made to be measured and compared; the fast way is in sudoku_bands.hpp.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "meter.hpp"
#include "sudoku_grid.hpp"

namespace tengen::sudoku {

struct DmusOptions {
    int disjoint = 2;          // 0 none, 1 basic, 2 improved
    int shrinks = 3;           // the order in which sets are shrunk, 1 to 6 as in the thesis
    bool fewest_live = true;   // branch on the set with the fewest cells that are not dead, among the first few
    bool busiest_first = true; // try cells first that are in many open sets
};

// What is counted on each level, which is the number of clues so far.
struct DmusLevel {
    std::uint64_t nodes = 0, disjoint = 0;
    std::uint64_t more = 0;    // nodes with more disjoint sets than clues left
    std::uint64_t equal = 0;   // with exactly as many, of which …
    std::uint64_t pruned = 0, shrunk = 0, unchanged = 0, children = 0;
};

class DmusSearch {
public:
    static constexpr int most_sets = 512;
    using Judge = std::function<bool(const Cells&)>;

    // `sets` are taken in the order of their preference; clues come from `universe`.
    DmusSearch(std::vector<Cells> sets, const Cells& universe, int clues, DmusOptions options, Judge judge, Meter& meter)
        : sets_(std::move(sets)), universe_(universe), clues_(clues), options_(options), judge_(std::move(judge)), meter_(meter),
          levels(std::size_t(clues) + 1) {
        for (std::size_t i = 0; i < sets_.size(); ++i) sets_[i].each([&](int cell) { through_[cell].add(int(i)); });
        for (const Cells& set : sets_) meeting_.push_back(through(set));
    }

    void run() {
        Bits open;
        for (std::size_t i = 0; i < sets_.size(); ++i) open.add(int(i));
        node(0, open, {}, {});
    }

    std::vector<Cells> found;
    std::uint64_t judged = 0;

private:
    static constexpr int words = most_sets / 64;
    struct Bits {
        std::uint64_t word[words] = {};
        void add(int i) { word[i / 64] |= std::uint64_t(1) << i % 64; }
        int first() const {
            for (int w = 0; w < words; ++w)
                if (word[w]) return 64 * w + std::countr_zero(word[w]);
            return -1;
        }
        void remove(const Bits& other) {
            for (int w = 0; w < words; ++w) word[w] &= ~other.word[w];
        }
        int common(const Bits& other) const {
            int sum = 0;
            for (int w = 0; w < words; ++w) sum += std::popcount(word[w] & other.word[w]);
            return sum;
        }
        template <class Action>
        void each(Action action) const {
            for (int w = 0; w < words; ++w)
                for (std::uint64_t left = word[w]; left; left &= left - 1)
                    if (!action(64 * w + std::countr_zero(left))) return;
        }
    };

    Bits through(const Cells& cells) const {
        Bits bits;
        cells.each([&](int cell) {
            for (int w = 0; w < words; ++w) bits.word[w] |= through_[cell].word[w];
        });
        return bits;
    }

    void node(int level, const Bits& open, const Cells& in, Cells dead) {
        meter_.count();
        DmusLevel& counts = levels[std::size_t(level)];
        ++counts.nodes;
        const int first = open.first();
        if (level == clues_) {
            if (first < 0) {
                ++judged;
                if (judge_(in)) found.push_back(in);
            }
            return;
        }
        Cells branch;
        bool is_tight = false;
        if (first < 0) {
            branch = universe_ - in - dead;
        } else {
            branch = choose(open, dead);
            if (options_.disjoint > 0 && !disjoint(clues_ - level, open, dead, counts, branch, is_tight)) return;
        }
        int cells[81], count = 0;
        branch.each([&](int cell) { cells[count++] = cell; });
        if (options_.busiest_first && first >= 0) {
            int busy[81];
            for (int i = 0; i < count; ++i) busy[cells[i]] = open.common(through_[cells[i]]);
            std::stable_sort(cells, cells + count, [&](int a, int b) { return busy[a] > busy[b]; });
        }
        if (is_tight) counts.children += std::uint64_t(count);
        for (int i = 0; i < count; ++i) {
            Bits rest = open;
            rest.remove(through_[cells[i]]);
            Cells more = in;
            more.add(cells[i]);
            node(level + 1, rest, more, dead);
            dead.add(cells[i]);
        }
    }

    Cells choose(const Bits& open, const Cells& dead) const {
        Cells best;
        int fewest = 82, looked_at = 0;
        open.each([&](int set) {
            const Cells live = sets_[std::size_t(set)] - dead;
            if (live.size() < fewest) {
                fewest = live.size();
                best = live;
            }
            return options_.fewest_live && fewest > 0 && ++looked_at < 24;
        });
        return best;
    }

    // Collects disjoint open sets; false if they show that the clues do not suffice. May replace the branch by a smaller one.
    bool disjoint(int left, const Bits& open, const Cells& dead, DmusLevel& counts, Cells& branch, bool& is_tight) const {
        int chosen[81], number = 0;
        Bits rest = open;
        for (int set = rest.first(); set >= 0 && number <= left; set = rest.first()) {
            chosen[number++] = set;
            rest.remove(meeting_[std::size_t(set)]);
        }
        counts.disjoint += std::uint64_t(number);
        if (number > left) {
            ++counts.more;
            return false;
        }
        if (number < left) return true;
        ++counts.equal;
        if (options_.disjoint == 1) return true;
        is_tight = true;
        Shrinking shrinking(*this, open, dead, chosen, number);
        if (!shrinking.run(options_.shrinks)) {
            ++counts.pruned;
            return false;
        }
        const Cells smallest = shrinking.smallest();
        ++(shrinking.is_changed ? counts.shrunk : counts.unchanged);
        if (smallest.size() < branch.size()) branch = smallest;
        return true;
    }

    // As many disjoint sets as clues are left: each takes one clue, so an open set that is disjoint from all others but one must
    // share its clue with that one.
    class Shrinking {
    public:
        Shrinking(const DmusSearch& search, const Bits& open, const Cells& dead, const int* chosen, int number)
            : search_(search), open_(open), number_(number) {
            for (int i = 0; i < number; ++i) {
                sets_[i] = search.sets_[std::size_t(chosen[i])] - dead;
                meeting_[i] = search.through(sets_[i]);
            }
        }

        bool is_changed = false;

        bool run(int order) {
            switch (order) {
                case 1: return shrink(0);
                case 2: return up();
                case 3: return down();
                case 4: return up() && down();
                case 5: return up() && up();
                default:
                    do {
                        changed_now_ = false;
                        if (!up()) return false;
                    } while (changed_now_);
                    return true;
            }
        }

        Cells smallest() const {
            return *std::min_element(sets_, sets_ + number_, [](const Cells& a, const Cells& b) { return a.size() < b.size(); });
        }

    private:
        bool up() {
            for (int i = 0; i < number_; ++i)
                if (!shrink(i)) return false;
            return true;
        }
        bool down() {
            for (int i = number_ - 1; i >= 0; --i)
                if (!shrink(i)) return false;
            return true;
        }
        bool shrink(int i) {
            Bits apart = open_;
            for (int j = 0; j < number_; ++j)
                if (j != i) apart.remove(meeting_[j]);
            Cells left = sets_[i];
            apart.each([&](int set) {
                left = left & search_.sets_[std::size_t(set)];
                return !left.empty();
            });
            if (left != sets_[i]) {
                is_changed = changed_now_ = true;
                sets_[i] = left;
                meeting_[i] = search_.through(left);
            }
            return !left.empty();
        }

        const DmusSearch& search_;
        const Bits& open_;
        int number_;
        bool changed_now_ = false;
        Cells sets_[81];
        Bits meeting_[81];
    };

    std::vector<Cells> sets_;
    Cells universe_;
    int clues_;
    DmusOptions options_;
    Judge judge_;
    Meter& meter_;
    Bits through_[81];
    std::vector<Bits> meeting_;

public:
    std::vector<DmusLevel> levels;
};

}  // namespace tengen::sudoku
