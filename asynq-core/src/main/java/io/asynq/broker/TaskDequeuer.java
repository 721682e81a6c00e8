package io.asynq.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.message.Dequeued;
import io.asynq.broker.message.QueueShare;
import org.jspecify.annotations.Nullable;

public interface TaskDequeuer {

	int MOST_TASKS = 64;

	/**
	 * Leases at most {@link #MOST_TASKS} tasks and about 4 MiB of messages; tasks that
	 * cannot be decoded are archived and ids without a task dropped, neither of which
	 * counts.
	 */
	Dequeued dequeue(String queue, int max);

	/**
	 * Leaves suspects in the queue for which no worker is idle; should the server die,
	 * handlers of tasks fetched ahead count as not begun.
	 */
	default Dequeued dequeue(String queue, int max, int ahead) {
		return dequeue(queue, max);
	}

	/**
	 * Asks one queue after the other, in one call if possible, until one has more than it
	 * gave although more was asked for; throws only if nothing is known to be taken.
	 */
	default List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
		List<Answer> answers = new ArrayList<>();
		int left = max;
		for (QueueShare share : shares) {
			int most = Math.min(left, share.max());
			if (most > 0) {
				Answer answer = answer(share.queue(), most, Math.max(0, Math.min(most, ahead - (left - most))));
				answers.add(answer);
				left = answer.endsCall(most) ? 0 : left - answer.taken();
			}
		}
		return answers;
	}

	default boolean takesSeveralInOneCall() {
		return false;
	}

	private Answer answer(String queue, int max, int ahead) {
		try {
			return new Answer(queue, dequeue(queue, max, ahead), null);
		}
		catch (BrokerException ex) {
			return new Answer(queue, null, ex);
		}
	}

	/**
	 * Makes tasks pending again whose dequeue's answer was lost, which otherwise the next
	 * call for the same queue does first.
	 */
	default Set<String> giveBackLost(Predicate<String> queues) {
		return Set.of();
	}

	record Answer(String queue, @Nullable Dequeued dequeued, @Nullable BrokerException error) {

		int taken() {
			return (this.dequeued != null) ? this.dequeued.tasks().size() : 0;
		}

		/** Redis is away, or this queue has more than it gave. */
		boolean endsCall(int asked) {
			return (this.dequeued != null) ? !this.dequeued.exhausted() && taken() < asked
					: this.error instanceof BrokerUnavailableException;
		}

	}

}
