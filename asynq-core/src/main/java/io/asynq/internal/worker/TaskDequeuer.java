package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import org.jspecify.annotations.Nullable;

public interface TaskDequeuer {

	int MOST_TASKS = 64;

	/**
	 * Also takes at most 4 MiB; neither tasks archived as undecodable nor ids without a
	 * task count.
	 */
	Dequeued dequeue(String queue, int max);

	/** Leaves suspects in the queue for which no worker is idle. */
	default Dequeued dequeue(String queue, int max, int ahead) {
		return dequeue(queue, max);
	}

	/**
	 * Ends with a queue that has more than it gave although more was asked for; throws
	 * only if nothing is known to be taken.
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

	/** Undoes dequeues whose answer was lost; else the queue's next dequeue does. */
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
