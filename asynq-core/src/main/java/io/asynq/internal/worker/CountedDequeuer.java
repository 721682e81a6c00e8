package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.TaskWaitListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Notes tasks as soon as Redis has given them, so that none is lost on its way.
 */
public final class CountedDequeuer implements TaskDequeuer {

	private static final Logger logger = OneLineLogger.of(CountedDequeuer.class);

	private final TaskDequeuer tasks;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final TaskWaitListener waits;

	public CountedDequeuer(TaskDequeuer tasks, ActiveTasks active, ServerCounters counters, TaskWaitListener waits) {
		this.tasks = tasks;
		this.active = active;
		this.counters = counters;
		this.waits = waits;
	}

	@Override
	public Dequeued dequeue(String queue, int max) {
		return dequeue(queue, max, 0);
	}

	@Override
	public Dequeued dequeue(String queue, int max, int ahead) {
		boolean answered = false;
		try {
			Dequeued dequeued = this.tasks.dequeue(queue, max, ahead);
			answered = true;
			this.active.taken(dequeued.tasks());
			tell(queue, dequeued.waited());
			return dequeued;
		}
		finally {
			if (!answered) {
				this.counters.dequeuesFailed.increment();
			}
		}
	}

	@Override
	public List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
		List<Answer> answers = null;
		try {
			answers = this.tasks.dequeue(shares, max, ahead);
		}
		finally {
			if (answers == null) {
				this.counters.dequeuesFailed.increment();
			}
		}
		for (Answer answer : answers) {
			if (answer.dequeued() != null) {
				this.active.taken(answer.dequeued().tasks());
			}
		}
		for (Answer answer : answers) {
			if (answer.dequeued() != null) {
				tell(answer.queue(), answer.dequeued().waited());
			}
			else {
				this.counters.dequeuesFailed.increment();
			}
		}
		return answers;
	}

	@Override
	public boolean takesSeveralInOneCall() {
		return this.tasks.takesSeveralInOneCall();
	}

	private void tell(String queue, @Nullable Duration waited) {
		if (waited != null) {
			// Nothing may come between a task and its worker
			UserCode.run(() -> this.waits.onTaskTaken(queue, waited),
					(shown) -> logger.error("TaskWaitListener failed for queue {}", queue, shown));
		}
	}

	@Override
	public Set<String> giveBackLost(Predicate<String> queues) {
		return this.tasks.giveBackLost(queues);
	}

}
