package io.asynq.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.message.Dequeued;
import io.asynq.broker.message.QueueShare;
import org.jspecify.annotations.Nullable;

/**
 * Takes pending tasks. Safe for concurrent use.
 */
public interface TaskDequeuer {

	/** How many tasks one call takes at most. */
	int MOST_TASKS = 64;

	/**
	 * Moves up to {@code max} tasks of a queue that is not paused from pending to active,
	 * each with a lease: at most {@link #MOST_TASKS} and about 4 MiB of messages per
	 * call. Tasks that cannot be decoded are archived, ids without a task are dropped;
	 * neither counts.
	 * @param max at least 1
	 */
	Dequeued dequeue(String queue, int max);

	/**
	 * Does so, and leaves suspects in the queue for which no worker is idle.
	 * @param ahead how many of {@code max} are fetched ahead: if their server dies, their
	 * handlers count as not begun
	 */
	default Dequeued dequeue(String queue, int max, int ahead) {
		return dequeue(queue, max);
	}

	/**
	 * Takes up to {@code max} tasks from several queues, one after the other, with the
	 * limits of a call for one queue; if possible in one call. A queue that has more than
	 * it gave, though more was asked for, ends the call.
	 * @param shares how many to take from each queue; not all of them need be reached
	 * @param ahead how many of {@code max} are fetched ahead
	 * @return an answer for each share that was reached, in their order
	 * @throws AsynqException if Redis cannot be reached and nothing is known to be taken
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

	/**
	 * Returns whether tasks of several queues are taken in one call, as far as known.
	 */
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
	 * Returns tasks to pending that were taken by calls whose answers were lost, as far
	 * as possible now. The next call for the same queue does so too, before it takes
	 * anything.
	 * @param queues which queues to look after
	 * @return the queues that got tasks back
	 */
	default Set<String> giveBackLost(Predicate<String> queues) {
		return Set.of();
	}

	/**
	 * What became of a share.
	 *
	 * @param dequeued {@code null} if there is an error
	 */
	record Answer(String queue, @Nullable Dequeued dequeued, @Nullable BrokerException error) {

		int taken() {
			return (this.dequeued != null) ? this.dequeued.tasks().size() : 0;
		}

		/**
		 * Returns whether no other queue may be asked: Redis is away, or this queue has
		 * more than it gave.
		 */
		boolean endsCall(int asked) {
			return (this.dequeued != null) ? !this.dequeued.exhausted() && taken() < asked
					: this.error instanceof BrokerUnavailableException;
		}

	}

}
