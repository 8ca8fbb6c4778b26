// Proof and disproof numbers: where they are kept, and what those of a position's children make of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tengen::small {

constexpr std::uint32_t infinite = 1u << 30;

// Proof and disproof numbers by position; grows up to a limit, then forgets what cost least.
class Numbers {
public:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t proof = 0, disproof = 0;
        std::uint32_t size = 0;  // of the proof if there is one, else the work spent; 0 marks a free place
    };

    explicit Numbers(int most_bits) : most_bits_(std::max(most_bits, 12)), entries_(std::size_t(1) << 12) {}

    const Entry* find(std::uint64_t key) const {
        const Entry* const bucket = &entries_[place(key)];
        for (int i = 0; i < ways; ++i)
            if (bucket[i].size && bucket[i].key == key) return bucket + i;
        return nullptr;
    }

    void store(const Entry& entry) {
        Entry* const bucket = &entries_[place(entry.key)];
        Entry* worst = bucket;
        for (int i = 0; i < ways; ++i) {
            if (bucket[i].size && bucket[i].key == entry.key) {
                bucket[i] = entry;
                return;
            }
            if (bucket[i].size < worst->size) worst = bucket + i;
        }
        if (worst->size && std::size_t(1) << most_bits_ > entries_.size()) {
            grow();
            return store(entry);
        }
        *worst = entry;
    }

private:
    static constexpr int ways = 4;

    std::size_t place(std::uint64_t key) const {
        return std::size_t(key) & (entries_.size() - 1) & ~std::size_t(ways - 1);
    }

    void grow() {
        std::vector<Entry> old(entries_.size() * 2);
        old.swap(entries_);
        for (const Entry& entry : old)
            if (entry.size) store(entry);
    }

    int most_bits_;
    std::vector<Entry> entries_;
};

// What the numbers of its children say about a node, seen from the side to move: one that is good for it is enough
// (`one`), and all must be refuted (`every`). The numbers are those of the weak variant: of those that all count, the
// largest, and one for each other. Sums would count what is reached along many ways many times.
template <class Child>
struct Outlook {
    std::uint32_t one = infinite, every = 0;
    Child* next = nullptr;  // the child to search on

    // `own` and `against` read the numbers of a child: for the side to move, and against it.
    template <class Own, class Against>
    Outlook(std::vector<Child>& children, Own own, Against against) {
        for (Child& child : children) {
            if (own(child) < one || (own(child) == one && next && against(child) < against(*next))) {
                second_ = one;
                one = own(child);
                next = &child;
            } else {
                second_ = std::min(second_, own(child));
            }
            every = std::max(every, against(child));
            unknown_ += against(child) != 0;
        }
        if (every && every < infinite) every = std::min(infinite - 1, every + unknown_ - 1);
        if (one == 0) every = infinite;
        if (every == 0) one = infinite;
    }

    bool is_known() const { return one == 0 || every == 0; }
    // How far the chosen child may go before another one, or the node above, takes over.
    std::uint32_t one_limit(std::uint32_t limit) const { return std::min(limit, std::min(infinite, second_ + second_ / 4 + 1)); }
    std::uint32_t every_limit(std::uint32_t limit) const { return limit >= infinite ? infinite : limit - (unknown_ - 1); }

private:
    std::uint32_t second_ = infinite, unknown_ = 0;
};

}  // namespace tengen::small
