package io.asynq.schedule;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.schedule.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * A task that is enqueued periodically:
 * <code>PeriodicTaskDefinition.of("0 3 * * *", Task.of("report:nightly", "")).zone(ZoneId.of("Europe/Berlin"))</code>.
 * Immutable: each method returns a new one. Mistakes are reported when it is registered.
 */
public final class PeriodicTaskDefinition {

	private final String spec;

	private final Source source;

	private final @Nullable String id;

	private final @Nullable String zone;

	private final Consumer<TaskOptions.Builder> options;

	private final @Nullable MissedFirePolicy missedFires;

	private PeriodicTaskDefinition(String spec, Source source, @Nullable String id, @Nullable String zone,
			Consumer<TaskOptions.Builder> options, @Nullable MissedFirePolicy missedFires) {
		this.spec = spec;
		this.source = source;
		this.id = id;
		this.zone = zone;
		this.options = options;
		this.missedFires = missedFires;
	}

	/**
	 * Creates a periodic task with the same task at each fire.
	 * @param spec when it fires: five cron fields (minute, hour, day of month, month, day
	 * of week), {@code @every 90s}, {@code @yearly}, {@code @monthly}, {@code @weekly},
	 * {@code @daily} or {@code @hourly}, with or without {@code CRON_TZ=Zone} and a space
	 * before it
	 */
	public static PeriodicTaskDefinition of(String spec, Task task) {
		return new PeriodicTaskDefinition(spec, Source.of(task), null, null, (options) -> {
		}, null);
	}

	/**
	 * Creates a periodic task whose payload is created at each fire. If several
	 * schedulers have the entry, each of them creates a payload and one of these is
	 * enqueued.
	 * @param spec when it fires, see {@link #of(String, Task)}
	 * @param type the task's type; empty if each payload is a {@link Task} or its class
	 * has {@link io.asynq.TaskDefaults} with a type
	 * @param payload returns a payload or a {@link Task}, or {@code null} to enqueue
	 * nothing this time
	 */
	public static PeriodicTaskDefinition calling(String spec, String type, Callable<?> payload) {
		return new PeriodicTaskDefinition(spec, Source.calling(type, payload), null, null, (options) -> {
		}, null);
	}

	/**
	 * Returns the default id of a periodic task: the same in every application, different
	 * if any argument differs, and usable in paths and command lines of tools.
	 * @param owner what the periodic task belongs to, such as a bean's method or a task
	 * type
	 * @param zone the zone that was set, {@code null} for none
	 */
	public static String defaultId(String owner, String spec, @Nullable String zone) {
		String digest = Fingerprint.of(owner, spec, String.valueOf(zone));
		return owner.replaceAll("[^A-Za-z0-9_.:@-]", "_") + "-" + digest.substring(0, 8);
	}

	/**
	 * Sets the id, which identifies the entry among schedulers and in the history that
	 * tools show.
	 * @param id the same in every application that has this entry; by default made of
	 * type, queue, spec and zone, see {@link #defaultId}
	 */
	public PeriodicTaskDefinition id(String id) {
		return new PeriodicTaskDefinition(this.spec, this.source, id, this.zone, this.options, this.missedFires);
	}

	/**
	 * Sets the time zone of the spec.
	 * @param zone a region or UTC; by default the spec's {@code CRON_TZ}, or the
	 * scheduler's zone
	 */
	public PeriodicTaskDefinition zone(ZoneId zone) {
		// Go does not know the name Z
		return zone(zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId());
	}

	/**
	 * Sets the time zone of the spec, by a name that may also follow {@code CRON_TZ=}.
	 */
	public PeriodicTaskDefinition zone(String zone) {
		return new PeriodicTaskDefinition(this.spec, this.source, this.id, zone, this.options, this.missedFires);
	}

	/**
	 * Sets options that override those of the task itself.
	 * @param options called when the periodic task is registered
	 */
	public PeriodicTaskDefinition options(Consumer<TaskOptions.Builder> options) {
		return new PeriodicTaskDefinition(this.spec, this.source, this.id, this.zone, this.options.andThen(options),
				this.missedFires);
	}

	/** Sets the policy for missed fires, by default the scheduler's. */
	public PeriodicTaskDefinition missedFires(MissedFirePolicy policy) {
		return new PeriodicTaskDefinition(this.spec, this.source, this.id, this.zone, this.options,
				Objects.requireNonNull(policy));
	}

	public String spec() {
		return this.spec;
	}

	/** Returns the id that was set, {@code null} for the default. */
	public @Nullable String id() {
		return this.id;
	}

	public Source source() {
		return this.source;
	}

	/** A method that creates payloads is not part of the fingerprint. */
	public boolean isSameAs(PeriodicTaskDefinition other) {
		return this.source.fixed() != null || this.source.payload() == other.source.payload();
	}

	public @Nullable String zone() {
		return this.zone;
	}

	public TaskOptions buildOptions() {
		return TaskOptions.of(this.options);
	}

	public @Nullable MissedFirePolicy missedFires() {
		return this.missedFires;
	}

	@Override
	public String toString() {
		return "PeriodicTaskDefinition[" + ((this.id != null) ? "id=" + this.id + ", " : "") + "spec=" + this.spec
				+ ", type=" + this.source.type() + "]";
	}

	public record Source(String type, @Nullable Task fixed, Callable<?> payload) {

		static Source of(Task task) {
			return new Source((task.type() != null) ? task.type() : "", task, () -> task);
		}

		static Source calling(String type, Callable<?> payload) {
			return new Source(type, null, payload);
		}

	}

}
