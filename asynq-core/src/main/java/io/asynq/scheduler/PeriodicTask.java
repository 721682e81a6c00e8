package io.asynq.scheduler;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import io.asynq.Task;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * A task to be enqueued again and again (asynq M03):
 * <code>PeriodicTask.of("0 3 * * *", Task.of("report:nightly", "")).zone(ZoneId.of("Europe/Berlin"))</code>.
 * Immutable: each method returns a new one. Mistakes are told when it is registered.
 */
public final class PeriodicTask {

	private final String spec;

	private final TaskSource source;

	private final @Nullable String id;

	private final @Nullable String zone;

	private final Consumer<TaskOptions.Builder> options;

	private final @Nullable MissedFirePolicy missedFires;

	private PeriodicTask(String spec, TaskSource source, @Nullable String id, @Nullable String zone,
			Consumer<TaskOptions.Builder> options, @Nullable MissedFirePolicy missedFires) {
		this.spec = spec;
		this.source = source;
		this.id = id;
		this.zone = zone;
		this.options = options;
		this.missedFires = missedFires;
	}

	/**
	 * Creates a periodic task that is the same at each fire.
	 * @param spec when it fires: five cron fields (minute, hour, day of month, month, day
	 * of week), {@code @every 90s}, {@code @yearly}, {@code @monthly}, {@code @weekly},
	 * {@code @daily} or {@code @hourly}, with or without {@code CRON_TZ=Zone} and a space
	 * before it
	 * @param task the task
	 * @return the periodic task
	 */
	public static PeriodicTask of(String spec, Task task) {
		return new PeriodicTask(spec, TaskSource.of(task), null, null, (options) -> {
		}, null);
	}

	/**
	 * Creates a periodic task whose payload is asked for at each fire. Where several
	 * schedulers have the entry, each of them asks and one of the answers is enqueued.
	 * @param spec when it fires, see {@link #of(String, Task)}
	 * @param type the task's type; empty if each payload is a {@link Task} or its class
	 * has {@link io.asynq.client.TaskDefaults} with a type
	 * @param payload returns a payload or a {@link Task}; {@code null} means that nothing
	 * is enqueued this time
	 * @return the periodic task
	 */
	public static PeriodicTask calling(String spec, String type, Callable<?> payload) {
		return new PeriodicTask(spec, TaskSource.calling(type, payload), null, null, (options) -> {
		}, null);
	}

	/**
	 * Makes the identity of a periodic task that was given none: the same in every
	 * application, and fit for the paths and command lines of tools.
	 * @param owner what it belongs to, such as a bean's method or a type of task
	 * @param spec when it fires
	 * @param zone the zone that was set, {@code null} for none
	 * @return an id that is another when any of them is
	 */
	public static String defaultId(String owner, String spec, @Nullable String zone) {
		String digest = Fingerprint.of(owner, spec, String.valueOf(zone));
		return owner.replaceAll("[^A-Za-z0-9_.:@-]", "_") + "-" + digest.substring(0, 8);
	}

	/**
	 * Sets the identity, by which schedulers know that they have the same entry, and
	 * under which tools show its history.
	 * @param id the id, the same in every application that has this entry; without one it
	 * is made of type, queue, spec and zone, see {@link #defaultId}
	 * @return a new periodic task
	 */
	public PeriodicTask id(String id) {
		return new PeriodicTask(this.spec, this.source, id, this.zone, this.options, this.missedFires);
	}

	/**
	 * Sets the zone in which the spec is read.
	 * @param zone the zone, a place or UTC; without one the spec's {@code CRON_TZ}, else
	 * the scheduler's
	 * @return a new periodic task
	 */
	public PeriodicTask zone(ZoneId zone) {
		// Go does not know it as Z
		return zone(zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId());
	}

	/**
	 * Sets the zone in which the spec is read.
	 * @param zone the zone's name, one that may follow {@code CRON_TZ=}, too
	 * @return a new periodic task
	 */
	public PeriodicTask zone(String zone) {
		return new PeriodicTask(this.spec, this.source, this.id, zone, this.options, this.missedFires);
	}

	/**
	 * Sets how its tasks are enqueued. Called when the task is registered.
	 * @param options sets what overrides the task's own options
	 * @return a new periodic task
	 */
	public PeriodicTask options(Consumer<TaskOptions.Builder> options) {
		return new PeriodicTask(this.spec, this.source, this.id, this.zone, this.options.andThen(options),
				this.missedFires);
	}

	/**
	 * Sets what becomes of fires while no scheduler was there.
	 * @param policy the policy; without one the scheduler's
	 * @return a new periodic task
	 */
	public PeriodicTask missedFires(MissedFirePolicy policy) {
		return new PeriodicTask(this.spec, this.source, this.id, this.zone, this.options,
				Objects.requireNonNull(policy));
	}

	public String spec() {
		return this.spec;
	}

	/**
	 * Returns the identity that was set.
	 * @return the id, {@code null} for none
	 */
	public @Nullable String id() {
		return this.id;
	}

	TaskSource source() {
		return this.source;
	}

	/**
	 * Returns whether a task of the same fingerprint is the same: what is asked for a
	 * payload has no fingerprint.
	 */
	boolean isSameAs(PeriodicTask other) {
		return this.source.fixed() != null || this.source.payload() == other.source.payload();
	}

	@Nullable String zone() {
		return this.zone;
	}

	TaskOptions buildOptions() {
		return TaskOptions.of(this.options);
	}

	@Nullable MissedFirePolicy missedFires() {
		return this.missedFires;
	}

	@Override
	public String toString() {
		return "PeriodicTask[" + ((this.id != null) ? "id=" + this.id + ", " : "") + "spec=" + this.spec + ", type="
				+ this.source.type() + "]";
	}

}
