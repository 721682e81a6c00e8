package io.asynq.server;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.EndedLease;
import io.asynq.broker.EndedLeases;
import io.asynq.broker.Lease;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.LeasedTask;
import io.asynq.lifecycle.LoopErrorLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseRenewalTests {

	private final Map<String, BrokerException> failing = new LinkedHashMap<>();

	private final List<String> extended = new CopyOnWriteArrayList<>();

	private final TestLanes lanes = TestLanes.of(Map.of("a", "n1", "b", "n2", "c", "n2"));

	private final LeaseRenewal renewal = new LeaseRenewal(new Keeper(),
			new QueueRound("test", this.lanes.lanes(), new LoopErrorLog()));

	@AfterEach
	void end() {
		this.lanes.close();
	}

	@Test
	void aQueueWhoseNodeIsAwayCostsTheOthersNothing() {
		this.failing.put("a", new BrokerUnavailableException("away", null));
		renew();
		assertThat(this.extended).containsExactlyInAnyOrder("b", "c");
		this.failing.clear();
		renew();
		assertThat(this.extended).containsExactlyInAnyOrder("b", "c", "a", "b", "c");
	}

	@Test
	void aQueueWhoseKeysMakeNoSenseCostsTheOthersNothing() {
		this.failing.put("b", new BrokerException("WRONGTYPE", null));
		renew();
		assertThat(this.extended).containsExactlyInAnyOrder("a", "c");
	}

	private void renew() {
		Map<String, List<Lease>> leases = new LinkedHashMap<>();
		for (String queue : List.of("a", "b", "c")) {
			leases.put(queue, List.of(new Lease(queue, "t1", "fence", System.nanoTime())));
		}
		this.renewal.renew(leases);
	}

	/**
	 * Knows nothing but extending.
	 */
	private final class Keeper implements LeaseKeeper {

		@Override
		public void extend(String queue, Collection<Lease> leases) {
			BrokerException failure = LeaseRenewalTests.this.failing.get(queue);
			if (failure != null) {
				throw failure;
			}
			LeaseRenewalTests.this.extended.add(queue);
		}

		@Override
		public Duration leaseDuration() {
			throw new UnsupportedOperationException();
		}

		@Override
		public EndedLeases ending(String queue, Duration ahead, Duration longestGap, int offset, int limit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<LeasedTask> claim(String queue, Collection<EndedLease> ended) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<String> withoutLease(String queue) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int attachLease(String queue, Collection<String> ids, Duration length) {
			throw new UnsupportedOperationException();
		}

	}

}
