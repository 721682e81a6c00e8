package io.asynq.client;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.broker.Broker;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues tasks (asynq C01–C17). Options come from four places, the later the stronger:
 * {@link TaskDefaults} of the payload's class, {@link ClientOptions.Builder#defaults
 * defaults of the type}, the task's own options, the options of the call (C07). Safe for
 * concurrent use; a task may be enqueued by many threads at once (C15).
 * <p>
 * Every method that enqueues one task throws
 * <ul>
 * <li>{@link io.asynq.DuplicateTaskException} if another task holds its unique lock
 * (C11),</li>
 * <li>{@link io.asynq.TaskIdConflictException} if its queue has a task of this id
 * (C12),</li>
 * <li>{@link io.asynq.InvalidTaskException} if it is {@code null}, its type is blank or
 * its payload is too large (C08, C09),</li>
 * <li>{@link io.asynq.PayloadConversionException} if its payload cannot be
 * converted,</li>
 * <li>{@link io.asynq.BrokerUnavailableException} if Redis cannot be reached: the task
 * may or may not be stored,</li>
 * <li>{@link io.asynq.BrokerException} if Redis refused it.</li>
 * </ul>
 */
public interface AsynqClient {

	/**
	 * Creates a client.
	 * @param broker the store; stays the caller's
	 * @param options settings
	 * @return the client
	 */
	static AsynqClient create(Broker broker, ClientOptions options) {
		return new DefaultAsynqClient(broker, options);
	}

	/**
	 * Enqueues a task with its own options.
	 * @param task the task
	 * @return the task as it was stored: pending, scheduled or aggregating
	 */
	TaskInfo enqueue(Task task);

	/**
	 * Enqueues a task.
	 * @param task the task
	 * @param options override the task's own, one by one
	 * @return the task as it was stored
	 */
	TaskInfo enqueue(Task task, TaskOptions options);

	/**
	 * Enqueues an object.
	 * @param type the task's type
	 * @param payload the object, {@code null} for no payload
	 * @return the task as it was stored
	 */
	TaskInfo enqueue(String type, @Nullable Object payload);

	/**
	 * Enqueues an object:
	 * {@code client.enqueue("email:welcome", mail, (o) -> o.queue("low"))}.
	 * @param type the task's type
	 * @param payload the object, {@code null} for no payload
	 * @param options sets the options of this call
	 * @return the task as it was stored
	 */
	TaskInfo enqueue(String type, @Nullable Object payload, Consumer<TaskOptions.Builder> options);

	/**
	 * Enqueues an object whose class names the task's type by {@link TaskDefaults}.
	 * @param payload the object
	 * @return the task as it was stored
	 */
	TaskInfo enqueue(Object payload);

	/**
	 * Enqueues an object whose class names the task's type by {@link TaskDefaults}.
	 * @param payload the object
	 * @param options sets the options of this call
	 * @return the task as it was stored
	 */
	TaskInfo enqueue(Object payload, Consumer<TaskOptions.Builder> options);

	/**
	 * Enqueues many tasks in few round trips, each by itself: one that is refused neither
	 * stops nor repeats the others (C16–C19).
	 * @param tasks the tasks, of any queues; none means that Redis is not called
	 * @return what became of each, in the same order; does not throw for single tasks
	 */
	List<EnqueueAttempt> enqueueAll(Collection<Task> tasks);

	/**
	 * Enqueues many tasks, see {@link #enqueueAll(Collection)}.
	 * @param tasks the tasks
	 * @param options override each task's own
	 * @return what became of each, in the same order
	 */
	List<EnqueueAttempt> enqueueAll(Collection<Task> tasks, TaskOptions options);

	/**
	 * Converts an object into a task, to be enqueued with others or given headers. Its
	 * options are the defaults of its class and type; {@link Task#withOptions} replaces
	 * them.
	 * @param type the task's type
	 * @param payload the object, {@code null} for no payload
	 * @return the task
	 */
	Task task(String type, @Nullable Object payload);

	/**
	 * Asks Redis for a sign of life (C04).
	 * @throws io.asynq.BrokerException if there is none
	 */
	void ping();

}
