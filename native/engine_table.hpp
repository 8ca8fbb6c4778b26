// What the engine remembers of positions it has searched. Threads share it; each entry has a lock of its own.
#pragma once

#include <atomic>
#include <memory>

#include "threats.hpp"

namespace tengen {

class EngineTable {
public:
    enum Bound : std::uint8_t { nothing, upper, lower, exact };

    struct Entry {
        std::uint64_t key = 0;
        Stones move;
        std::int32_t score = 0;
        std::int16_t depth = 0;
        Bound bound = nothing;
    };

    explicit EngineTable(int bits) : mask_((std::size_t(1) << bits) - 1), slots_(new Slot[mask_ + 1]) {}

    bool find(std::uint64_t key, Entry& entry) const {
        Slot& slot = slots_[key & mask_];
        const Guard guard(slot);
        if (slot.entry.bound == nothing || slot.entry.key != key) return false;
        entry = slot.entry;
        return true;
    }

    void store(const Entry& entry) {
        Slot& slot = slots_[entry.key & mask_];
        const Guard guard(slot);
        // What was searched deeper is worth more, unless it is of another position: that one may never come again.
        if (slot.entry.key == entry.key && slot.entry.depth > entry.depth && entry.bound != exact) return;
        slot.entry = entry;
    }

private:
    struct Slot {
        std::atomic_flag lock;
        Entry entry;
    };

    struct Guard {
        explicit Guard(Slot& slot) : slot(slot) {
            while (slot.lock.test_and_set(std::memory_order_acquire)) {
            }
        }
        ~Guard() { slot.lock.clear(std::memory_order_release); }
        Slot& slot;
    };

    std::size_t mask_;
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace tengen
