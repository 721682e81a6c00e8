package io.asynq.spring.boot.test;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the tasks of one type. Each narrows the tasks to those that it holds
 * for, and fails if none is left; so what follows is about the same tasks:
 * {@code enqueued("mail:send").withPayload(mail).once()} allows other mails,
 * {@code enqueued("mail:send").once().withPayload(mail)} does not. Not safe for
 * concurrent use.
 */
public final class EnqueuedTaskAssert extends AbstractAssert<EnqueuedTaskAssert, List<EnqueuedTask>> {

	/**
	 * Between the call that makes a task and the one that stores it, and as far as the
	 * clock of an application may be from that of the queues.
	 */
	private static final Duration TOLERANCE = Duration.ofSeconds(2);

	private final String type;

	private List<EnqueuedTask> left;

	EnqueuedTaskAssert(List<EnqueuedTask> tasks, String type) {
		super(tasks, EnqueuedTaskAssert.class);
		this.type = type;
		this.left = tasks;
	}

	/** Verifies that exactly one task is left. */
	public EnqueuedTaskAssert once() {
		return times(1);
	}

	/** Verifies how many tasks are left. */
	public EnqueuedTaskAssert times(int times) {
		if (this.left.size() != times) {
			failWithMessage("%s tasks of type '%s' should be like this, but there are %s:%s", times, this.type,
					this.left.size(), EnqueuedTasksAssert.describe(this.left));
		}
		return this;
	}

	/** Verifies the queue. */
	public EnqueuedTaskAssert inQueue(String queue) {
		return narrow((task) -> task.info().queue().equals(queue), "in queue '" + queue + "'");
	}

	/**
	 * Verifies the payload.
	 * @param payload what was enqueued: the payload's bytes are those that it becomes, or
	 * as a handler would get it the payload equals it
	 */
	public EnqueuedTaskAssert withPayload(Object payload) {
		return narrow((task) -> task.hasPayload(payload), "with the payload " + payload);
	}

	/** Verifies that there is no payload. */
	public EnqueuedTaskAssert withoutPayload() {
		return narrow((task) -> task.info().payload() == null, "without a payload");
	}

	/** Verifies a header. */
	public EnqueuedTaskAssert withHeader(String name, String value) {
		return narrow((task) -> value.equals(task.info().headers().get(name)), "with the header " + name + "=" + value);
	}

	/** Verifies the id. */
	public EnqueuedTaskAssert withId(String id) {
		return narrow((task) -> task.info().id().equals(id), "with the id '" + id + "'");
	}

	/**
	 * Verifies that the task is due later.
	 * @param delay counted from the call that enqueued it; may differ by two seconds
	 */
	public EnqueuedTaskAssert processIn(Duration delay) {
		return narrow((task) -> task.delay().minus(delay).abs().compareTo(TOLERANCE) <= 0, "due in " + delay);
	}

	/** Verifies that the task is not delayed. */
	public EnqueuedTaskAssert processNow() {
		return narrow((task) -> task.delay().isZero(), "due at once");
	}

	/** Verifies the group in which the task waits, or will. */
	public EnqueuedTaskAssert inGroup(String group) {
		return narrow((task) -> group.equals(task.info().group()), "in group '" + group + "'");
	}

	/** Verifies that the task took a unique lock. */
	public EnqueuedTaskAssert unique() {
		return narrow(EnqueuedTask::isUnique, "with a unique lock");
	}

	/**
	 * Verifies anything else.
	 * @param condition holds for the task
	 * @param description ends the sentence "a task … that is …"
	 */
	public EnqueuedTaskAssert matching(Predicate<EnqueuedTask> condition, String description) {
		return narrow(condition, description);
	}

	private EnqueuedTaskAssert narrow(Predicate<EnqueuedTask> condition, String description) {
		List<EnqueuedTask> holds = this.left.stream().filter(condition).toList();
		if (holds.isEmpty()) {
			failWithMessage("No task of type '%s' is %s, but:%s", this.type, description,
					EnqueuedTasksAssert.describe(this.left));
		}
		this.left = holds;
		return this;
	}

}
