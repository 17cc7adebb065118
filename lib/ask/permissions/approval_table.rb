# frozen_string_literal: true

require_relative "native"

module Ask
  module Permissions
    class Permissions
      # The approvals of a gate, by the id of their tool call as a Hash would look it up.
      #
      # A Hash runs the `hash` and `eql?` of its keys while it is at work, and cannot bear that they use
      # it, or that another thread does meanwhile. Here they run beforehand, on a bucket that never
      # changes; then the bucket is exchanged for another in one step, if it is still the same.
      class ApprovalTable
        # `position` says where it stands among all approvals.
        Entry = Struct.new(:key, :approval, :position)
        private_constant :Entry

        def initialize
          # INVARIANT: keyed by the Integer that the ids' `hash` gives; the buckets are frozen.
          @buckets = {}
        end

        # @param id [Object]
        # @return [Approval, nil]
        def [](id)
          return if @buckets.empty?

          hash = id.hash
          bucket = @buckets[hash.is_a?(Integer) ? hash : hash_of(id)]
          entry_in(bucket, id)&.approval if bucket
        end

        # @return [Array<Approval>] in the order in which their ids came in
        def pending
          @buckets.values.flatten(1).select { |entry| entry.approval.pending? }.sort_by(&:position).map(&:approval)
        end

        # Puts an approval in the place of another, unless that place has been taken otherwise by now.
        #
        # @param id [Object]
        # @param expected [Approval, nil] what is there; nil for nothing
        # @param approval [Approval, nil] what shall be there; nil for nothing
        # @return [Boolean] whether it was done
        def replace(id, expected, approval)
          hash = hash_of(id)
          done = false
          until done
            bucket = @buckets[hash]
            entry = bucket && entry_in(bucket, id)
            return false unless expected.equal?(entry&.approval)

            done = Native.exchange(@buckets, hash, bucket, changed(bucket, entry, id, approval))
          end
          true
        end

        private

        def hash_of(id)
          hash = id.hash
          return hash if hash.is_a?(Integer)

          raise TypeError, "can't convert #{hash.class} to Integer"
        end

        def entry_in(bucket, id)
          # There is hardly ever more than one, and this is the quickest way to look at it.
          index = 0
          while (entry = bucket[index])
            key = entry.key
            return entry if id.equal?(key) || id.eql?(key)

            index += 1
          end
        end

        # The bucket as it shall be; nil when nothing is left in it.
        def changed(bucket, entry, id, approval)
          others = bucket.to_a.reject { |other| other.equal?(entry) }
          others << succeeding(entry, id, approval) if approval
          others.freeze unless others.empty?
        end

        def succeeding(entry, id, approval)
          return Entry.new(entry.key, approval, entry.position).freeze if entry

          # A String that is changed later is still found by what it was, as in a Hash.
          key = id.instance_of?(String) ? id.dup.freeze : id
          Entry.new(key, approval, Native.next_position).freeze
        end
      end
      private_constant :ApprovalTable
    end
  end
end
