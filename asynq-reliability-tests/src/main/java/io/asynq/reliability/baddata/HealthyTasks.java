package io.asynq.reliability.baddata;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Sound tasks among the others, which must be handled once and soon.
 */
final class HealthyTasks {

	/** Longer than this nothing sound waits; a busy machine is forgiven a lot. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final Handled handled;

	private final List<Sent> sent = new ArrayList<>();

	private long longestNanos;

	HealthyTasks(Handled handled) {
		this.handled = handled;
	}

	int count() {
		return this.sent.size();
	}

	Duration longest() {
		return Duration.ofNanos(this.longestNanos);
	}

	/**
	 * Adds tasks.
	 * @param queue where
	 * @param prefix what their ids begin with
	 * @param count how many
	 * @return them, to be waited for
	 */
	List<Sent> send(RawQueue queue, String prefix, int count) {
		List<Sent> added = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			String id = prefix + "-" + i;
			byte[] key = RawQueue.utf8(id);
			queue.task(key, StoredMessage.of(Corruption.HANDLED_TYPE, queue.name(), key).toBytes(), "pending");
			added.add(new Sent(queue.name(), id, System.nanoTime()));
			queue.listed("pending", key);
		}
		this.sent.addAll(added);
		return added;
	}

	/**
	 * Lets the time of tasks begin anew, because only now they can be handled.
	 * @param tasks the tasks
	 * @return them, to be waited for
	 */
	List<Sent> fromNow(List<Sent> tasks) {
		return tasks.stream().map((task) -> new Sent(task.queue(), task.id(), System.nanoTime())).toList();
	}

	/**
	 * Waits until tasks were handled.
	 * @param tasks the tasks
	 * @return what has come too late, empty if nothing
	 */
	List<String> await(List<Sent> tasks) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(5))
				.until(() -> tasks.stream().allMatch((task) -> this.handled.times(task.queue(), task.id()) > 0));
		}
		catch (ConditionTimeoutException ex) {
			return tasks.stream()
				.filter((task) -> this.handled.times(task.queue(), task.id()) == 0)
				.map((task) -> "Healthy task '" + task.id() + "' of queue '" + task.queue()
						+ "' was not handled within " + PATIENCE.toSeconds() + " s")
				.toList();
		}
		for (Sent task : tasks) {
			Long first = this.handled.firstNanos(task.queue(), task.id());
			this.longestNanos = Math.max(this.longestNanos, ((first != null) ? first : task.nanos()) - task.nanos());
		}
		return List.of();
	}

	/**
	 * Looks which were not handled exactly once.
	 * @return complaints
	 */
	List<String> complaints() {
		return this.sent.stream()
			.filter((task) -> this.handled.times(task.queue(), task.id()) != 1)
			.map((task) -> "Healthy task '" + task.id() + "' of queue '" + task.queue() + "' was handled "
					+ this.handled.times(task.queue(), task.id()) + " times")
			.toList();
	}

	/**
	 * A task that was added.
	 *
	 * @param queue its queue
	 * @param id its id
	 * @param nanos when, by {@link System#nanoTime()}
	 */
	record Sent(String queue, String id, long nanos) {
	}

}
