package io.asynq.internal.arrival;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.Text;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/** Without slots on their way, whose new keys are written to the other node. */
final class ServedSlots {

	private static final int FIRST_SLOTS = 8;

	private final BitSet slots = new BitSet();

	private ServedSlots() {
	}

	static ServedSlots of(String nodes) {
		ServedSlots served = new ServedSlots();
		for (String line : nodes.split("\n")) {
			String[] fields = line.trim().split(" ");
			if (fields.length > FIRST_SLOTS) {
				List<String> flags = Arrays.asList(fields[2].split(","));
				if (flags.contains("myself") && flags.contains("master")) {
					Arrays.stream(fields).skip(FIRST_SLOTS).forEach(served::add);
				}
			}
		}
		return served;
	}

	boolean include(String queue) {
		return this.slots.get(ClusterSlotHashUtil.calculateSlot(Text.utf8(Keys.of(queue).pending())));
	}

	/** {@code 5} or {@code 0-5460}; the form {@code [5->-id]} removes a slot. */
	private void add(String range) {
		if (range.startsWith("[")) {
			this.slots.clear(Integer.parseInt(range.substring(1, range.indexOf('-'))));
			return;
		}
		String[] ends = range.split("-");
		this.slots.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
	}

}
