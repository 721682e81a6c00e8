package io.asynq.test.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * @param masters those that serve slots and have not failed
 */
record ClusterTopology(List<Member> masters) {

	private static final int FIRST_SLOTS = 8;

	static ClusterTopology parse(String nodes) {
		List<Member> masters = new ArrayList<>();
		nodes.lines().map((line) -> line.split(" ")).forEach((fields) -> {
			List<String> flags = Arrays.asList(fields[2].split(","));
			if (flags.contains("master") && !flags.contains("fail") && fields.length > FIRST_SLOTS) {
				String address = fields[1].substring(0, fields[1].indexOf('@'));
				masters.add(new Member(fields[0], Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
						Arrays.stream(fields).skip(FIRST_SLOTS).map(Slots::parse).toList()));
			}
		});
		return new ClusterTopology(masters);
	}

	Optional<Member> masterOf(int slot) {
		return this.masters.stream()
			.filter((master) -> master.slots().stream().anyMatch((range) -> range.contains(slot)))
			.findFirst();
	}

	record Member(String id, int port, List<Slots> slots) {

	}

	record Slots(int first, int last) {

		static Slots parse(String range) {
			if (range.startsWith("[")) {
				// A slot on its way to or from another master; if served here, it is also
				// listed by itself
				return new Slots(-1, -1);
			}
			String[] ends = range.split("-");
			return new Slots(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
		}

		boolean contains(int slot) {
			return this.first <= slot && slot <= this.last;
		}

	}

}
