package io.asynq;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues tasks, as Go's {@code Client} (docs/compatibility.md, C01–C19).
 *
 * <pre class="code">{@code
 * client.enqueue("email:welcome", new Welcome("ada@example.com"));
 * client.enqueue("report", (options) -> options.queue("low").processIn(Duration.ofHours(1)));
 * }</pre>
 *
 * <p>
 * Options come from these places, of which each overrides those before it: the
 * {@link io.asynq.annotation.TaskHandler handler} of the type in this application,
 * {@link TaskDefaults} of the payload's class, {@link ClientOptions.Builder#defaults
 * defaults of the type}, the task's own options, the options of the call. Safe for
 * concurrent use; a task may be enqueued by many threads at once.
 * <p>
 * Every method that enqueues one task throws
 * <ul>
 * <li>{@link io.asynq.DuplicateTaskException} if another task holds its unique lock,</li>
 * <li>{@link io.asynq.TaskIdConflictException} if its queue has a task with its id,</li>
 * <li>{@link io.asynq.InvalidTaskException} if it is {@code null}, its type is blank, its
 * payload is a lambda or too large,</li>
 * <li>{@link io.asynq.payload.PayloadConversionException} if its payload cannot be
 * converted,</li>
 * <li>{@link io.asynq.AsynqException} if an {@link io.asynq.EnqueueInterceptor}
 * fails,</li>
 * <li>{@link io.asynq.BrokerUnavailableException} if Redis cannot be reached or does not
 * answer: the task may or may not be stored,</li>
 * <li>{@link io.asynq.BrokerException} if Redis refused it.</li>
 * </ul>
 * All return the task as it was stored: pending, scheduled or aggregating; or deferred,
 * see {@link #afterCommit()}. Beside a type, a payload of {@code null} is none.
 */
public interface AsynqClient {

	/**
	 * Creates a client; the caller closes the broker.
	 */
	static AsynqClient create(Broker broker, ClientOptions options) {
		return RedisBroker.of(broker).client(options, Observers.none(), null);
	}

	/**
	 * Enqueues a task with its own options.
	 */
	TaskInfo enqueue(Task task);

	/**
	 * Enqueues a task with options that override its own, one by one.
	 */
	TaskInfo enqueue(Task task, TaskOptions options);

	/**
	 * Enqueues a task without payload.
	 */
	TaskInfo enqueue(String type);

	/**
	 * Enqueues a task without payload. Java takes {@code enqueue(type, null)} for this
	 * method, too: then there are no options.
	 */
	TaskInfo enqueue(String type, Consumer<TaskOptions.Builder> options);

	/**
	 * Enqueues a task with an object as its payload. If the object is
	 * {@link TaskOptions}, a task without payload is enqueued with these options.
	 */
	TaskInfo enqueue(String type, @Nullable Object payload);

	/**
	 * Enqueues a task with an object as its payload:
	 * {@code client.enqueue("email:welcome", mail, (o) -> o.queue("low"))}.
	 */
	TaskInfo enqueue(String type, @Nullable Object payload, Consumer<TaskOptions.Builder> options);

	/**
	 * Enqueues an object whose class names the task's type by {@link TaskDefaults}.
	 */
	TaskInfo enqueue(Object payload);

	/**
	 * Enqueues an object whose class names the task's type by {@link TaskDefaults}.
	 */
	TaskInfo enqueue(Object payload, Consumer<TaskOptions.Builder> options);

	/**
	 * Enqueues many tasks in few round trips, each independently of the others: those
	 * that are refused do not affect the rest.
	 * @param tasks for any queues; if there are none, Redis is not called
	 * @return one result for each task, in the same order; errors of single tasks are in
	 * the results and not thrown
	 */
	List<EnqueueAttempt> enqueueAll(Collection<Task> tasks);

	/**
	 * Enqueues many tasks as {@link #enqueueAll(Collection)} does, with options that
	 * override each task's own, one by one.
	 */
	List<EnqueueAttempt> enqueueAll(Collection<Task> tasks, TaskOptions options);

	/**
	 * Returns a client that enqueues when the transaction of the calling thread has
	 * committed, and nothing if it is rolled back. Tasks are converted and checked at the
	 * call, which answers them with their ids in the state
	 * {@link io.asynq.TaskState#DEFERRED}; {@code processIn} counts from the call. After
	 * the commit all tasks of the transaction are sent together. What goes wrong then,
	 * duplicates included, is logged and told by
	 * {@link io.asynq.event.TaskEvent.NotEnqueued}: no method throws it. Without a
	 * transaction tasks are enqueued at once. docs/transactions.md says what is
	 * guaranteed.
	 * <p>
	 * With an outbox (asynq-outbox-jdbc) the call writes the task into a table of the
	 * same transaction, instead of keeping it in memory. It throws an
	 * {@link io.asynq.AsynqException} if that fails, which then is the transaction's
	 * failure, too. A relay sends the task after the commit, in another thread or
	 * application, and tells listeners there.
	 * <p>
	 * Transactions are those of Spring that are bound to threads. In a thread of Reactor
	 * that must not block, the methods that enqueue throw an
	 * {@link io.asynq.AsynqException}, because a reactive transaction cannot be seen.
	 * @return always the same; this client, if {@link ClientOptions#afterCommit()}
	 */
	AsynqClient afterCommit();

	/**
	 * Creates a task with an object as its payload, to which headers can be added or
	 * which can be enqueued together with others. Its options are the defaults of its
	 * class and type; {@link Task#withOptions} replaces them.
	 */
	Task task(String type, @Nullable Object payload);

	/**
	 * Checks that Redis answers.
	 * @throws io.asynq.BrokerException if it does not
	 */
	void ping();

}
