// Finds every puzzle with a given number of clues in a grid: the fast way.
//
// However the clues are shared out among the three bands, two of the bands have few of them, so all ways to place clues in
// these two can be listed, band by band, and joined: two ways go together if they leave no unavoidable set of the two bands open.
// For the few pairs that remain, the clues of the third band are searched: first a lower bound from sets that have two or three
// cells in one of its mini-rows, then the sets that are still open. A solver judges what hits all known sets; if there is a
// second solution, the cells in which it differs are a new set, which is kept.
#pragma once

#include <cmath>

#include "meter.hpp"
#include "sudoku_band.hpp"
#include "sudoku_join.hpp"
#include "sudoku_sets.hpp"

namespace tengen::sudoku {

struct BandsResult {
    std::vector<Cells> puzzles;
    bool by_stacks = false;
    std::uint64_t sets = 0;         // unavoidable sets to begin with
    std::uint64_t learned = 0;      // and those that the solver gave
    double pairs = 0;               // ways for one band times ways for another
    std::uint64_t joined = 0;       // pairs that leave no set of the two bands open
    std::uint64_t completed = 0;    // of these, so many passed the lower bound for the third band
    std::uint64_t solved = 0;       // how often the solver was asked
    std::uint64_t certificate = 0;  // a checksum over the joined pairs, which nobody knows who has not searched
};

// For each subset of a row, which of some sets it leaves open; the three rows of a band are looked up apart.
template <int words>
class OpenSets {
public:
    struct Bits {
        std::uint64_t word[words];
    };

    void clear() { std::memset(through_, 0, sizeof through_); }

    void add(int word, int bit, std::uint32_t cells) {
        for (; cells; cells &= cells - 1) through_[std::countr_zero(cells)].word[word] |= std::uint64_t(1) << bit;
    }

    // `all` are the bits that are used at all.
    void build(const Bits& all) {
        for (int row = 0; row < 3; ++row) {
            rows_[row][0] = all;
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

private:
    Bits through_[27];
    Bits rows_[3][512];
};

class BandsSearch {
public:
    // Puzzles have all clues of `given` and else only clues of `allowed`.
    BandsSearch(const Grid& grid, int clues, const Cells& given, const Cells& allowed, Meter& meter)
        : grid_(grid), clues_(clues), given_(given), allowed_(allowed), meter_(meter) {}

    BandsResult run() {
        const bool stacks = plan(transposed(grid_), transposed(given_), transposed(allowed_));
        const Plan by_stacks = plan_;
        (void)stacks;
        plan(grid_, given_, allowed_);
        if (by_stacks.cost < plan_.cost) {
            plan_ = by_stacks;
            grid_ = transposed(grid_);
            given_ = transposed(given_);
            allowed_ = transposed(allowed_);
            result_.by_stacks = true;
        }
        find_sets();
        for (int third = 0; third < 3; ++third)
            if (!plan_.shares[third].empty()) two_bands(third, plan_.shares[third]);
        if (result_.by_stacks)
            for (Cells& puzzle : result_.puzzles) puzzle = transposed(puzzle);
        std::sort(result_.puzzles.begin(), result_.puzzles.end(), smaller);
        return std::move(result_);
    }

private:
    static constexpr int socket_words = 8;

    struct Share {
        int first, second;  // clues in the two bands after the third, in cyclic order
    };

    struct Plan {
        double cost = 0;
        std::vector<Share> shares[3];
        std::vector<std::uint32_t> sets[3];  // within each band
    };

    // One unavoidable set in the order of the bands at hand.
    struct Parts {
        std::uint32_t first, second, third;
    };

    static Cells transposed(const Cells& cells) {
        Cells other;
        cells.each([&](int cell) { other.add(transposed_cell(cell)); });
        return other;
    }
    static Grid transposed(const Grid& grid) { return sudoku::transposed(grid); }

    // Every division of the clues among the bands is given to the two bands that have the fewest ways together.
    bool plan(const Grid& grid, const Cells& given, const Cells& allowed) {
        plan_ = {};
        std::vector<double> ways[3];
        int least[3];
        for (int b = 0; b < 3; ++b) {
            std::vector<Cells> sets;
            Cells region;
            region.band[b] = band_bits;
            SetFinder(grid, sets).search(region, 27);
            keep_minimal(sets);
            for (const Cells& set : sets) plan_.sets[b].push_back(set.band[b]);
        }
        // A band never has more clues than what the others leave; the count stops where lists would stop.
        for (int b = 0; b < 3; ++b) {
            BandClues band(plan_.sets[b], given.band[b], allowed.band[b]);
            least[b] = 28;
            for (int most = std::popcount(given.band[b]); most <= 27 && least[b] == 28; ++most)
                if (band.count(most)[std::size_t(most)] > 0) least[b] = most;
        }
        for (int b = 0; b < 3; ++b) {
            const int other = std::min(least[(b + 1) % 3], least[(b + 2) % 3]);
            const int most = std::max(0, std::min(27, (clues_ - other) / 2));
            ways[b] = BandClues(plan_.sets[b], given.band[b], allowed.band[b]).count(most);
        }
        for (int a = least[0]; a <= 27; ++a)
            for (int b = least[1]; b <= 27; ++b) {
                const int c = clues_ - a - b;
                if (c < least[2] || c > 27) continue;
                const int share[3] = {a, b, c};
                int best = -1;
                double cost = 0;
                for (int third = 0; third < 3; ++third) {
                    const std::size_t x = std::size_t((third + 1) % 3), y = std::size_t((third + 2) % 3);
                    if (share[x] >= int(ways[x].size()) || share[y] >= int(ways[y].size())) continue;
                    const double pairs = ways[x][std::size_t(share[x])] * ways[y][std::size_t(share[y])];
                    if (best < 0 || pairs < cost) {
                        best = third;
                        cost = pairs;
                    }
                }
                plan_.cost += cost;
                plan_.shares[best].push_back({share[(best + 1) % 3], share[(best + 2) % 3]});
            }
        return true;
    }

    void find_sets() {
        SetFinder finder(grid_, sets_);
        finder.search(Cells::all(), all_up_to);
        for (unsigned digits = 0; digits < 512; ++digits) {
            if (std::popcount(digits) != 4) continue;
            Cells region;
            for (int cell = 0; cell < 81; ++cell)
                if (digits >> grid_[std::size_t(cell)] & 1) region.add(cell);
            finder.search(region, four_digits_up_to);
        }
        for (int b = 0; b < 3; ++b)
            for (std::uint32_t cells : plan_.sets[b]) {
                Cells set;
                set.band[b] = cells;
                sets_.push_back(set);
            }
        std::erase_if(sets_, [&](const Cells& set) { return set.meets(given_); });
        keep_minimal(sets_);
        result_.sets = sets_.size();
    }

public:
    static inline int all_up_to = 10, four_digits_up_to = 12;
private:

    void two_bands(int third, const std::vector<Share>& shares) {
        a_ = (third + 1) % 3, b_ = (third + 2) % 3, c_ = third;
        meeting_.clear();
        std::vector<Parts> across;
        sockets_a_.clear();
        sockets_b_.clear();
        OpenSets<socket_words>::Bits used{};
        for (const Cells& set : sets_) {
            const Parts parts{set.band[a_], set.band[b_], set.band[c_]};
            if (!parts.third) {
                if (parts.first && parts.second) across.push_back(parts);
                continue;
            }
            meeting_.push_back(parts);
            const int mini_row = std::countr_zero(parts.third) / 3;
            const std::uint32_t cells = parts.third >> 3 * mini_row;
            if (cells > 7 || std::popcount(cells) < 2) continue;
            const int socket = mini_row + 9 * (cells == 3 ? 0 : cells == 5 ? 1 : cells == 6 ? 2 : 3);
            int word = 0;
            while (word < socket_words && used.word[word] >> socket & 1) ++word;
            if (word == socket_words) continue;
            used.word[word] |= std::uint64_t(1) << socket;
            sockets_a_.add(word, socket, parts.first);
            sockets_b_.add(word, socket, parts.second);
        }
        sockets_a_.build(used);
        sockets_b_.build(used);

        BandClues first(plan_.sets[a_], given_.band[a_], allowed_.band[a_]);
        BandClues second(plan_.sets[b_], given_.band[b_], allowed_.band[b_]);
        for (const Share& share : shares) {
            const int rest = clues_ - share.first - share.second;
            firsts_ = first.list(share.first);
            seconds_ = second.list(share.second);
            if (firsts_.empty() || seconds_.empty()) continue;
            result_.pairs += double(firsts_.size()) * double(seconds_.size());
            join(across, rest);
        }
    }

    void join(const std::vector<Parts>& across, int rest) {
        const std::vector<Parts> best = selected(across);
        left_sets_.clear();
        right_sets_.clear();
        OpenSets<2>::Bits used{};
        for (std::size_t i = 0; i < best.size(); ++i) {
            used.word[i / 64] |= std::uint64_t(1) << i % 64;
            left_sets_.add(int(i / 64), int(i % 64), best[i].first);
            right_sets_.add(int(i / 64), int(i % 64), best[i].second);
        }
        left_sets_.build(used);
        right_sets_.build(used);
        words(left_sets_, firsts_, left_, left_more_);
        words(right_sets_, seconds_, right_, right_more_);
        const bool swap = left_.size() > right_.size();
        last_first_ = ~0u;
        auto found = [&](std::uint32_t i, std::uint32_t j) {
            if (swap) std::swap(i, j);
            if (!(left_more_[i] & right_more_[j])) pair(firsts_[i], seconds_[j], rest);
        };
        auto look = [&] { meter_.count(); };
        Join<decltype(found), decltype(look)> join(found, look);
        if (swap) join.run(right_, left_);
        else join.run(left_, right_);
    }

    static void words(const OpenSets<2>& sets, const std::vector<std::uint32_t>& ways, Words& words,
                      std::vector<std::uint64_t>& more) {
        words.resize(ways.size());
        more.resize(ways.size());
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const auto open = sets(ways[i]);
            words.word[i] = open.word[0];
            words.index[i] = std::uint32_t(i);
            more[i] = open.word[1];
        }
    }

    // The 128 sets that part the most pairs, most useful first, as seen on a sample of pairs.
    std::vector<Parts> selected(const std::vector<Parts>& across) const {
        constexpr int sample = 1024, blocks = sample / 64;
        std::vector<std::array<std::uint64_t, blocks>> parted(across.size());
        for (auto& blocks_of_set : parted) blocks_of_set.fill(0);
        std::uint64_t random = 88172645463325252u;
        for (int i = 0; i < sample; ++i) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            const std::uint32_t x = firsts_[std::size_t((random >> 32) % firsts_.size())];
            const std::uint32_t y = seconds_[std::size_t((random & 0xffffffffu) % seconds_.size())];
            for (std::size_t s = 0; s < across.size(); ++s)
                if (!(across[s].first & x) && !(across[s].second & y)) parted[s][std::size_t(i / 64)] |= std::uint64_t(1) << i % 64;
        }
        std::vector<Parts> best;
        std::vector<bool> taken(across.size());
        std::array<std::uint64_t, blocks> together;
        together.fill(~std::uint64_t(0));
        while (best.size() < std::min<std::size_t>(128, across.size())) {
            std::size_t choice = across.size();
            int most = -1;
            for (std::size_t s = 0; s < across.size(); ++s) {
                if (taken[s]) continue;
                int parts = 0;
                for (std::size_t b = 0; b < blocks; ++b) parts += std::popcount(together[b] & parted[s][b]);
                if (parts > most) most = parts, choice = s;
            }
            if (most == 0 && !std::all_of(together.begin(), together.end(), [](std::uint64_t b) { return b == ~std::uint64_t(0); })) {
                together.fill(~std::uint64_t(0));  // all are parted: begin anew with what is left of the sets
                continue;
            }
            taken[choice] = true;
            best.push_back(across[choice]);
            for (std::size_t b = 0; b < blocks; ++b) together[b] &= ~parted[choice][b];
        }
        return best;
    }

    // Two bands are full; `rest` clues are for the third.
    void pair(std::uint32_t first, std::uint32_t second, int rest) {
        ++result_.joined;
        result_.certificate += mixed((std::uint64_t(first) << 27 | second) * 3 + std::uint64_t(c_));
        if (first != last_first_) {
            last_first_ = first;
            open_first_ = sockets_a_(first);
        }
        const auto open_second = sockets_b_(second);
        std::uint64_t open = 0;
        for (int w = 0; w < socket_words; ++w) open |= open_first_.word[w] & open_second.word[w];
        const std::uint32_t x = open & 0777, y = open >> 9 & 0777, z = open >> 18 & 0777, all = open >> 27 & 0777;
        const int needed = rest - std::popcount(given_.band[c_]);
        if (std::popcount(x | y | z | all) + std::popcount(x & y & z) > needed) return;
        for (const Parts& parts : inside_)
            if (!(parts.first & first) && !(parts.second & second)) return;
        ++result_.completed;
        first_ = first;
        second_ = second;
        auto& open_sets = open_[0];
        open_sets.clear();
        for (const Parts& parts : meeting_)
            if (!(parts.first & first) && !(parts.second & second)) open_sets.push_back(parts.third);
        complete(0, given_.band[c_], band_bits & ~allowed_.band[c_], needed);
    }

    // Places clues in the third band; false if the other two cannot be completed at all.
    bool complete(std::size_t depth, std::uint32_t in, std::uint32_t dead, int left) {
        meter_.count();
        if (open_.size() < depth + 2) open_.resize(depth + 2);
        if (open_[depth].empty()) {
            const Cells clues = cells(first_, second_, in);
            const Cells fresh = second_solution(clues);
            if (fresh.empty()) {
                add_puzzles(in, band_bits & ~in & ~dead, left);
                return true;
            }
            const Parts parts{fresh.band[a_], fresh.band[b_], fresh.band[c_]};
            learn(fresh, parts);
            if (!parts.third) return false;
            open_[depth].push_back(parts.third);
        }
        std::uint32_t branch = 0, used = 0;
        int fewest = 28, apart = 0;
        for (std::uint32_t set : open_[depth]) {
            const std::uint32_t live = set & ~dead;
            if (!(live & used)) {
                used |= live;
                if (++apart > left) return true;
            }
            if (const int size = std::popcount(live); size < fewest) fewest = size, branch = live;
        }
        for (; branch; branch &= branch - 1) {
            const std::uint32_t cell = branch & -branch;
            auto& next = open_[depth + 1];
            next.clear();
            for (std::uint32_t set : open_[depth])
                if (!(set & cell)) next.push_back(set);
            if (!complete(depth + 1, in | cell, dead, left - 1)) return false;
            dead |= cell;
        }
        return true;
    }

    // Where a second solution differs; empty if there is none.
    Cells second_solution(const Cells& clues) {
        ++result_.solved;
        Cells fresh;
        Solver::solve(grid_, clues, [&](const Grid& other) {
            fresh = difference(grid_, other);
            return !fresh.empty();
        });
        return fresh;
    }

    void learn(const Cells& set, const Parts& parts) {
        ++result_.learned;
        sets_.push_back(set);
        if (parts.third) meeting_.push_back(parts);
        else inside_.push_back(parts);
    }

    void add_puzzles(std::uint32_t in, std::uint32_t free, int more) {
        if (more == 0) {
            result_.puzzles.push_back(cells(first_, second_, in));
            return;
        }
        for (; std::popcount(free) >= more; free &= free - 1) add_puzzles(in | (free & -free), free & (free - 1), more - 1);
    }

    Cells cells(std::uint32_t first, std::uint32_t second, std::uint32_t third) const {
        Cells all;
        all.band[a_] = first;
        all.band[b_] = second;
        all.band[c_] = third;
        return all;
    }

    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
        return x ^ x >> 32;
    }

    Grid grid_;
    int clues_;
    Cells given_, allowed_;
    Meter& meter_;
    Plan plan_;
    BandsResult result_;
    std::vector<Cells> sets_;

    // The bands at hand: two that are listed, and the third.
    int a_ = 0, b_ = 1, c_ = 2;
    std::vector<Parts> meeting_, inside_;
    OpenSets<socket_words> sockets_a_, sockets_b_;
    OpenSets<2> left_sets_, right_sets_;
    std::vector<std::uint32_t> firsts_, seconds_;
    Words left_, right_;
    std::vector<std::uint64_t> left_more_, right_more_;
    std::uint32_t last_first_ = ~0u;
    OpenSets<socket_words>::Bits open_first_{};

    // The pair at hand, and for each depth the parts of open sets in the third band.
    std::uint32_t first_ = 0, second_ = 0;
    std::vector<std::vector<std::uint32_t>> open_ = std::vector<std::vector<std::uint32_t>>(2);
};

}  // namespace tengen::sudoku
