package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.server.TaskWaitListener;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CountedDequeuerTests {

	private final ActiveTasks active = new ActiveTasks();

	private final ServerCounters counters = new ServerCounters(List.of());

	private final List<String> waited = new ArrayList<>();

	private TaskWaitListener waits = (queue, wait) -> this.waited.add(queue + " " + wait);

	@Test
	void countsCallsThatFailAndPassesTheErrorOn() {
		BrokerUnavailableException away = new BrokerUnavailableException("Redis is away", null);
		TaskDequeuer counted = new CountedDequeuer((queue, max) -> {
			throw away;
		}, this.active, this.counters, this.waits);
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> counted.dequeue("q", 1))
			.isSameAs(away);
		assertThat(this.counters.dequeuesFailed.sum()).isOne();
	}

	@Test
	void doesNotCountAnswers() {
		Dequeued none = new Dequeued(List.of(), true);
		assertThat(new CountedDequeuer((queue, max) -> none, this.active, this.counters, this.waits).dequeue("q", 1))
			.isSameAs(none);
		assertThat(this.counters.dequeuesFailed.sum()).isZero();
		assertThat(this.waited).isEmpty();
	}

	@Test
	void tellsHowLongTheFirstTaskHasWaited() {
		Dequeued some = new Dequeued(List.of(), true, Duration.ofSeconds(1));
		new CountedDequeuer((queue, max) -> some, this.active, this.counters, this.waits).dequeue("q", 2);
		assertThat(this.waited).containsExactly("q PT1S");
	}

	@Test
	void countsAndTellsQueuesOfACallByThemselves() {
		BrokerException refused = new BrokerException("refused", null);
		TaskDequeuer counted = new CountedDequeuer((queue, max) -> {
			if (queue.equals("bad")) {
				throw refused;
			}
			return new Dequeued(List.of(), true, Duration.ofSeconds(1));
		}, this.active, this.counters, this.waits);
		List<QueueShare> shares = List.of(new QueueShare("bad", 1), new QueueShare("q", 1));
		assertThat(counted.dequeue(shares, 2, 0)).extracting(TaskDequeuer.Answer::error).containsExactly(refused, null);
		assertThat(this.counters.dequeuesFailed.sum()).isOne();
		assertThat(this.waited).containsExactly("q PT1S");
	}

	@Test
	void countsCallForSeveralQueuesThatFails() {
		BrokerUnavailableException away = new BrokerUnavailableException("Redis is away", null);
		TaskDequeuer together = new TaskDequeuer() {

			@Override
			public Dequeued dequeue(String queue, int max) {
				throw new AssertionError("not one by one");
			}

			@Override
			public List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
				throw away;
			}

		};
		TaskDequeuer counted = new CountedDequeuer(together, this.active, this.counters, this.waits);
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> counted.dequeue(List.of(new QueueShare("q", 1)), 1, 0))
			.isSameAs(away);
		assertThat(this.counters.dequeuesFailed.sum()).isOne();
	}

	@Test
	void listenerThatThrowsKeepsNoTaskFromItsWorker() {
		this.waits = (queue, wait) -> {
			throw new AssertionError("planted");
		};
		LeasedTask task = TestMessages.leased(TestMessages.message("t1").build());
		Dequeued one = new Dequeued(List.of(task), true, Duration.ZERO);
		assertThat(new CountedDequeuer((queue, max) -> one, this.active, this.counters, this.waits).dequeue("q", 1))
			.isSameAs(one);
		assertThat(this.counters.dequeuesFailed.sum()).isZero();
		assertThat(this.active.taken()).containsExactly(task);
	}

}
