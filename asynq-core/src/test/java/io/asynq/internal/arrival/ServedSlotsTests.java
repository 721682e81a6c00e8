package io.asynq.internal.arrival;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServedSlotsTests {

	/** Slots of the queues: a 15495, b 3300, c 7365, d 11298. */
	private static final String NODES = """
			aaa 127.0.0.1:7001@17001 master - 0 0 1 connected 0-5460
			bbb 127.0.0.1:7002@17002,name myself,master - 0 0 2 connected 5461-7364 7365 11298-15495 [11298->-aaa] [3300-<-aaa]
			ccc 127.0.0.1:7003@17003 slave bbb 0 0 2 connected
			""";

	@Test
	void slotsOfTheNodeItselfAreServed() {
		ServedSlots slots = ServedSlots.of(NODES);
		assertThat(slots.include("a")).isTrue();
		assertThat(slots.include("c")).isTrue();
	}

	@Test
	void slotsOfOthersAndThoseOnTheirWayAreNot() {
		ServedSlots slots = ServedSlots.of(NODES);
		assertThat(slots.include("b")).isFalse();
		assertThat(slots.include("d")).isFalse();
	}

	@Test
	void replicaServesNothing() {
		ServedSlots slots = ServedSlots.of(NODES.replace("myself,master", "myself,slave"));
		assertThat(slots.include("a")).isFalse();
	}

}
