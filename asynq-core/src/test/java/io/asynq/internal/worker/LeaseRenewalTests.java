package io.asynq.internal.worker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.redis.TaskMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

class LeaseRenewalTests {

	private final Map<String, BrokerException> failing = new LinkedHashMap<>();

	private final List<String> extended = new CopyOnWriteArrayList<>();

	private final TestLanes lanes = TestLanes.of(Map.of("a", "n1", "b", "n2", "c", "n2"));

	private final ActiveTasks active = new ActiveTasks();

	private final LeaseRenewal renewal = new LeaseRenewal(redis(), this.active, mock(TakenTasks.class),
			new QueueRound("test", this.lanes.lanes()));

	@AfterEach
	void end() {
		this.lanes.close();
	}

	@Test
	void unreachableNodeAffectsNoOtherQueue() {
		this.failing.put("a", new BrokerUnavailableException("away", null));
		renew();
		assertThat(this.extended).containsExactlyInAnyOrder("b", "c");
		this.failing.clear();
		renew();
		assertThat(this.extended).containsExactlyInAnyOrder("b", "c", "a", "b", "c");
	}

	@Test
	void brokenQueueAffectsNoOther() {
		this.failing.put("b", new BrokerException("WRONGTYPE", null));
		renew();
		assertThat(this.extended).containsExactlyInAnyOrder("a", "c");
	}

	@Test
	void leasesOfAllTakenTasksAreExtendedUnlessTheyHaveEnded() {
		Map<String, List<Lease>> leases = new ConcurrentHashMap<>();
		TaskUpkeep redis = mock();
		willAnswer((call) -> leases.put(call.getArgument(0), call.getArgument(1))).given(redis).extend(any(), any());
		Lease valid = taken("a");
		Lease lost = taken("a");
		lost.lose();
		Lease alone = taken("b");
		take(new Lease("b", "t4", "fence", System.nanoTime() - 1));
		new LeaseRenewal(redis, this.active, mock(TakenTasks.class), new QueueRound("test", this.lanes.lanes()))
			.renew();
		assertThat(leases).containsOnly(Map.entry("a", List.of(valid)), Map.entry("b", List.of(alone)));
	}

	private void renew() {
		if (this.active.taken().isEmpty()) {
			List.of("a", "b", "c").forEach(this::taken);
		}
		this.renewal.renew();
	}

	private Lease taken(String queue) {
		return take(new Lease(queue, "t1", "fence", System.nanoTime() + 1_000_000_000_000L));
	}

	private Lease take(Lease lease) {
		this.active
			.taken(List.of(new LeasedTask(TaskMessage.builder("type", lease.taskId(), lease.queue()).build(), lease)));
		return lease;
	}

	private TaskUpkeep redis() {
		TaskUpkeep redis = mock();
		willAnswer((call) -> {
			String queue = call.getArgument(0);
			BrokerException failure = this.failing.get(queue);
			if (failure != null) {
				throw failure;
			}
			return this.extended.add(queue);
		}).given(redis).extend(any(), any());
		return redis;
	}

}
