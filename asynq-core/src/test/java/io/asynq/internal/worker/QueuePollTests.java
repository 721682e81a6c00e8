package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.lifecycle.Waker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class QueuePollTests {

	private static final Duration INTERVAL = Duration.ofHours(1);

	private final TaskFetcher fetcher = TestFetchers.of("q", (queue, max) -> new Dequeued(List.of(), true));

	private final QueueReadiness readiness = this.fetcher.readiness();

	private final ArrivalSignals arrivals = new ArrivalSignals(List.of("q"), this.readiness, new Waker(), new Waker(),
			Lanes.single());

	private final QueuePoll poll = new QueuePoll(this.readiness, this.arrivals, INTERVAL);

	@BeforeEach
	void askOnce() {
		this.poll.start();
		this.poll.markIfDue();
		askInVain();
	}

	@Test
	void emptyQueueIsNotPolledBeforeInterval() {
		this.poll.markIfDue();
		assertThat(this.readiness.any()).isFalse();
		assertThat(Duration.ofNanos(this.poll.nanosUntilNext())).isBetween(Duration.ofMinutes(29),
				Duration.ofMinutes(90));
	}

	@Test
	void allQueuesArePolledAfterStart() {
		this.poll.start();
		this.poll.markIfDue();
		assertThat(this.readiness.any()).isTrue();
	}

	@Test
	void allQueuesArePolledOnceAfterPossiblyMissedArrivals() {
		this.arrivals.onMissed(List.of("q"));
		this.poll.markIfDue();
		assertThat(this.readiness.any()).isTrue();
		askInVain();
		this.poll.markIfDue();
		assertThat(this.readiness.any()).isFalse();
	}

	@Test
	void emptyQueueIsWatchedOnceWhereArrivalsAreReported() {
		assertThat(this.poll.watch()).as("nobody tells").isFalse();
		assertThat(this.poll.isWatchMissing()).isFalse();
		Told told = new Told();
		this.arrivals.open();
		this.arrivals.setLive(Lanes.UNKNOWN, told);
		assertThat(this.poll.isWatchMissing()).isTrue();
		assertThat(this.poll.watch()).isFalse();
		assertThat(this.poll.isWatchMissing()).isFalse();
		assertThat(this.poll.watch()).isFalse();
		assertThat(told.watched).containsExactly("q");
	}

	@Test
	void queueWhoseArrivalsAreNotAnnouncedIsPolledBesideOthers() {
		try (TestLanes cluster = TestLanes.of(Map.of("watched", "n1", "polled", "n2"))) {
			List<String> queues = List.of("watched", "polled");
			QueueReadiness both = TestFetchers.empty(queues);
			ArrivalSignals arrivals = new ArrivalSignals(queues, both, new Waker(), new Waker(), cluster.lanes());
			QueuePoll poll = new QueuePoll(both, arrivals, Duration.ofMillis(1));
			arrivals.open();
			arrivals.setLive("n1", new Told());
			poll.markIfDue();
			TestFetchers.empty(both, queues);
			assertThat(poll.isWatchMissing()).isTrue();
			poll.watch();
			await().until(() -> {
				poll.markIfDue();
				return both.any();
			});
			assertThat(both.mark("polled")).as("was not polled").isFalse();
			assertThat(both.mark("watched")).as("was watched").isTrue();
			assertThat(Duration.ofNanos(poll.nanosUntilNext())).isLessThan(Duration.ofMillis(2));
		}
	}

	@Test
	void queueFilledBeforeWatchIsPolled() {
		Told told = new Told();
		told.pending = Set.of("q");
		this.arrivals.open();
		this.arrivals.setLive(Lanes.UNKNOWN, told);
		assertThat(this.poll.watch()).isTrue();
		assertThat(this.readiness.any()).isTrue();
	}

	private void askInVain() {
		this.fetcher.fetch(1, 0, (tasks) -> {
		}, (tasks) -> {
		});
		assertThat(this.readiness.any()).isFalse();
	}

	private static final class Told implements ArrivalSubscription {

		private final List<String> watched = new ArrayList<>();

		private Set<String> pending = Set.of();

		@Override
		public Set<String> watchPending(Collection<String> queues) {
			this.watched.addAll(queues);
			return this.pending;
		}

		@Override
		public void watchDelayed(Collection<String> queues) {
		}

		@Override
		public void listen() {
		}

		@Override
		public void close() {
		}

	}

}
