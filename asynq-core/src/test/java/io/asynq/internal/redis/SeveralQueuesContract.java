package io.asynq.internal.redis;

import java.util.List;

import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult.Status;
import io.asynq.internal.worker.QueueShare;
import io.asynq.internal.worker.TaskDequeuer.Answer;
import io.asynq.server.BrokenTask;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks of several queues, taken and ended together. On a cluster each queue has a call
 * of its own, and the rest is the same.
 */
@OnDrivers
class SeveralQueuesContract extends OutcomeContract {

	SeveralQueuesContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void queuesGiveTheirSharesInOrderUntilThereAreEnough() {
		seed("a", "a1", "a2", "a3");
		seed("b", "b1", "b2", "b3");
		seed("c", "c1");
		List<Answer> answers = dequeue(4, new QueueShare("a", 2), new QueueShare("b", 3), new QueueShare("c", 1));
		assertThat(answers).extracting(Answer::queue).containsExactly("a", "b");
		assertThat(ids(answers.get(0))).containsExactly("a1", "a2");
		assertThat(ids(answers.get(1))).containsExactly("b1", "b2");
		this.state.assertActive("a", "a1", "a2");
		this.state.assertActive("b", "b1", "b2");
		this.state.assertPending("a", "a3");
		this.state.assertPending("b", "b3");
		this.state.assertPending("c", "c1");
	}

	@Test
	void queueMayGiveWhatAnotherLeaves() {
		seed("a", "a1");
		seed("b", "b1", "b2", "b3", "b4");
		List<Answer> answers = dequeue(4, new QueueShare("a", 2), new QueueShare("b", 4));
		assertThat(dequeued(answers.get(0)).exhausted()).isTrue();
		assertThat(ids(answers.get(1))).containsExactly("b1", "b2", "b3");
		assertThat(dequeued(answers.get(1)).exhausted()).isFalse();
		assertThat(dequeued(answers.get(1)).left()).isEqualTo(1);
	}

	@Test
	void emptyAndPausedQueuesGiveNothing() {
		seed("b", "b1");
		this.state.redis().opsForValue().set("asynq:{b}:paused", "1");
		seed("c", "c1");
		List<Answer> answers = dequeue(3, new QueueShare("a", 3), new QueueShare("b", 3), new QueueShare("c", 3));
		assertThat(answers.subList(0, 2)).extracting(Answer::dequeued)
			.containsExactly(new Dequeued(List.of(), true), new Dequeued(List.of(), true, null, 0, true));
		assertThat(ids(answers.get(2))).containsExactly("c1");
	}

	@Test
	void keyOfWrongTypeAffectsItsQueueOnly() {
		seed("a", "a1");
		seed("b", "b1");
		seed("c", "c1");
		this.state.redis().delete("asynq:{b}:lease");
		this.state.redis().opsForValue().set("asynq:{b}:lease", "text");
		List<Answer> answers = dequeue(9, new QueueShare("a", 3), new QueueShare("b", 3), new QueueShare("c", 3));
		assertThat(ids(answers.get(0))).containsExactly("a1");
		assertThat(ids(answers.get(2))).containsExactly("c1");
		assertThat(answers.get(1).dequeued()).isNull();
		assertThat(answers.get(1).error()).isInstanceOf(WrongTypeException.class)
			.hasMessageContainingAll("queue 'b'", "'asynq:{b}:lease'", "rename or delete");
		assertThat(this.brokenTasks)
			.containsExactly(new BrokenTask("b", "asynq:{b}:lease", BrokenTask.Kind.UNUSABLE_KEY));
		this.state.assertPending("b", "b1");
	}

	@Test
	void queueThatHasMoreThanItGaveEndsTheCall() {
		seed("a", "a1");
		this.state.redis().opsForList().rightPush("asynq:{a}:pending", "ghost");
		seed("b", "b1");
		List<Answer> answers = dequeue(1, new QueueShare("a", 1), new QueueShare("b", 1));
		assertThat(answers).extracting(Answer::queue).containsExactly("a");
		assertThat(dequeued(answers.get(0)).exhausted()).isFalse();
		this.state.assertPending("a", "a1");
		this.state.assertPending("b", "b1");
	}

	@Test
	void brokenTasksAreNamedWithTheirQueue() {
		seed("a", "a1");
		this.state.redis().opsForList().rightPush("asynq:{b}:pending", "ghost");
		dequeue(9, new QueueShare("a", 3), new QueueShare("b", 3));
		assertThat(this.brokenTasks).containsExactly(new BrokenTask("b", "ghost", BrokenTask.Kind.MISSING));
	}

	@Test
	void outcomesOfEachKindEndTasksOfSeveralQueues() {
		List<Status> ended = report(new Outcome.Done(in("a", "done")), new Outcome.Done(in("b", "done")),
				new Outcome.Completed(in("a", "kept"), utf8("result")), new Outcome.Completed(in("b", "kept"), null),
				new Outcome.Retry(in("a", "failed"), "x", dueIn(9), true),
				new Outcome.Retry(in("b", "failed"), "x", dueIn(9), false), new Outcome.Archive(in("a", "dead"), "x"),
				new Outcome.Archive(in("b", "dead"), "x"), new Outcome.Postpone(in("a", "later"), dueIn(9)),
				new Outcome.Postpone(in("b", "later"), dueIn(9)), new Outcome.Requeue(in("a", "first")),
				new Outcome.Requeue(in("b", "first")), new Outcome.Requeue(in("a", "second")));
		assertThat(ended).containsOnly(Status.APPLIED);
		for (String queue : List.of("a", "b")) {
			this.state.assertActive(queue);
			assertThat(this.state.fields(queue, "done")).isEmpty();
			this.state.assertRetry(queue, "failed", "later");
			this.state.assertArchived(queue, "dead");
		}
		this.state.assertPending("a", "first", "second");
		this.state.assertPending("b", "first");
		assertThat(this.state.fields("a", "kept")).containsEntry("result", "result");
		this.state.assertCounters("a", DAY, 4, 2);
		this.state.assertCounters("b", DAY, 3, 1);
	}

	@Test
	void outcomeThatCannotBeWrittenHurtsNoOtherQueue() {
		LeasedTask first = in("a", "t1");
		LeasedTask bad = in("b", "t2");
		LeasedTask last = in("c", "t3");
		this.state.redis().opsForValue().set("asynq:{b}:retry", "text");
		assertThat(report(new Outcome.Retry(first, "x", dueIn(9), true), new Outcome.Retry(bad, "x", dueIn(9), true),
				new Outcome.Retry(last, "x", dueIn(9), true)))
			.containsExactly(Status.APPLIED, Status.BROKEN, Status.APPLIED);
		this.state.assertActive("b", "t2");
		this.state.assertRetry("c", "t3");
	}

	@Test
	void outcomesSentTwiceChangeNothingTheSecondTime() {
		Outcome[] both = { new Outcome.Done(in("a", "t1")), new Outcome.Done(in("b", "t1")) };
		assertThat(report(both)).containsOnly(Status.APPLIED);
		assertThat(report(both)).containsOnly(Status.NOT_ACTIVE);
		this.state.assertCounters("a", DAY, 1, 0);
		this.state.assertCounters("b", DAY, 1, 0);
	}

	private LeasedTask in(String queue, String id) {
		return active(RedisState.message(queue, id).retentionSeconds(60).build());
	}

	private void seed(String queue, String... ids) {
		for (String id : ids) {
			this.state.seedPending(RedisState.message(queue, id).build());
		}
	}

	private List<Answer> dequeue(int max, QueueShare... shares) {
		return this.broker.dequeuer().dequeue(List.of(shares), max, 0);
	}

	private static Dequeued dequeued(Answer answer) {
		Dequeued dequeued = answer.dequeued();
		assertThat(dequeued).isNotNull();
		return dequeued;
	}

	private static List<String> ids(Answer answer) {
		return dequeued(answer).tasks().stream().map((task) -> task.message().id()).toList();
	}

}
