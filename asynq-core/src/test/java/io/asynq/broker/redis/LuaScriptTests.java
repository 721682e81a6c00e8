package io.asynq.broker.redis;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LuaScriptTests {

	@Test
	void whatOnlyReadsMayBeAskedAgain() {
		assertThat(repeatable()).contains(LuaScript.READ_STATS, LuaScript.READ_TASK, LuaScript.READ_GROUPS,
				LuaScript.READ_HISTORY, LuaScript.READ_MEMORY, LuaScript.READ_SERVER, LuaScript.WATCH_PENDING,
				LuaScript.LIST_TASKS, LuaScript.CHECK_CONTAINER, LuaScript.CHECK_USABLE);
	}

	@Test
	void whatLeavesAMarkAndLooksForItMayBeAskedAgain() {
		assertThat(repeatable()).contains(LuaScript.FIRE, LuaScript.PASS_FIRE, LuaScript.WRITE_SERVER,
				LuaScript.WRITE_SCHEDULER, LuaScript.EXTEND_LEASES, LuaScript.FORWARD, LuaScript.EXPIRED_LEASES,
				LuaScript.DELETE_EXPIRED);
	}

	@Test
	void whatATaskMayHaveOutlivedIsNotAskedAgain() {
		assertThat(repeatable()).doesNotContain(LuaScript.ENQUEUE, LuaScript.ENQUEUE_UNIQUE, LuaScript.SCHEDULE,
				LuaScript.SCHEDULE_UNIQUE, LuaScript.ADD_TO_GROUP, LuaScript.ENQUEUE_BATCH,
				LuaScript.ENQUEUE_PENDING_BATCH, LuaScript.DEQUEUE, LuaScript.DONE, LuaScript.RETRY,
				LuaScript.RUN_TASKS, LuaScript.ARCHIVE_TASKS, LuaScript.DELETE_TASKS, LuaScript.RUN_ALL);
	}

	@Test
	void leasesAndTokensAreNotTakenLateForNobody() {
		assertThat(LuaScript.values()).filteredOn(LuaScript::mayComeLate)
			.contains(LuaScript.FORWARD, LuaScript.READ_TASK)
			.doesNotContain(LuaScript.EXTEND_LEASES, LuaScript.ACQUIRE_TOKEN, LuaScript.FIRE);
	}

	private static Stream<LuaScript> repeatable() {
		return Stream.of(LuaScript.values()).filter(LuaScript::isRepeatable);
	}

}
