package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.EndedLease;
import io.asynq.broker.EndedLeases;
import io.asynq.broker.Lease;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.LeasedTask;
import io.asynq.lifecycle.LoopErrorLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeaseRenewalTests {

	private final Map<String, BrokerException> failing = new LinkedHashMap<>();

	private final List<String> extended = new ArrayList<>();

	private final LeaseRenewal renewal = new LeaseRenewal(new Keeper(), new LoopErrorLog());

	@Test
	void aQueueWhoseNodeIsAwayCostsTheOthersNothingAndIsToldAfterwards() {
		BrokerUnavailableException away = new BrokerUnavailableException("away", null);
		this.failing.put("a", away);
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(this::renew).isSameAs(away);
		assertThat(this.extended).containsExactly("b", "c");
		this.failing.clear();
		renew();
		assertThat(this.extended).containsExactly("b", "c", "a", "b", "c");
	}

	@Test
	void aQueueWhoseKeysMakeNoSenseCostsTheOthersNothing() {
		this.failing.put("b", new BrokerException("WRONGTYPE", null));
		renew();
		assertThat(this.extended).containsExactly("a", "c");
	}

	private void renew() {
		Map<String, List<Lease>> leases = new LinkedHashMap<>();
		for (String queue : List.of("a", "b", "c")) {
			leases.put(queue, List.of(new Lease(queue, "t1", "fence", Instant.EPOCH)));
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
		public EndedLeases ending(String queue, Instant until, int offset, int limit) {
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
		public int attachLease(String queue, Collection<String> ids, Instant expiresAt) {
			throw new UnsupportedOperationException();
		}

	}

}
