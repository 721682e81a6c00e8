package io.asynq.observation;

import io.asynq.event.TaskOutcome;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of tasks and their keys.
 */
public enum AsynqObservation implements ObservationDocumentation {

	/** A task is stored, by a client or for a fire of a periodic task. */
	ENQUEUE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultTaskEnqueueObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityKey.TASK_ID };
		}

	},

	/** A server works on one attempt at a task, until its outcome is decided. */
	PROCESS {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultTaskProcessObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityKey.TASK_ID, HighCardinalityKey.ATTEMPT };
		}

	},

	/** A server turns tasks of a group into one task. */
	AGGREGATE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultTaskAggregateObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityKey.GROUP, HighCardinalityKey.MEMBERS };
		}

	};

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinalityKey.values();
	}

	/** Keys of timers and spans. */
	public enum LowCardinalityKey implements KeyName {

		/** The queue. */
		QUEUE("queue"),

		/** The type of the task, or of the task that a group becomes. */
		TYPE("type"),

		/** One of {@link TaskOutcome}, {@code none} while it is unknown. */
		OUTCOME("outcome");

		private final String key;

		LowCardinalityKey(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/** Keys of spans. */
	public enum HighCardinalityKey implements KeyName {

		/** The id of the task. */
		TASK_ID("asynq.task.id"),

		/** The number of the attempt, 1 for the first. */
		ATTEMPT("asynq.task.attempt"),

		/** The group. */
		GROUP("asynq.group"),

		/** How many tasks of the group are aggregated. */
		MEMBERS("asynq.group.members");

		private final String key;

		HighCardinalityKey(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
