package io.asynq.interop.random;

import io.asynq.TaskState;
import io.asynq.interop.random.Operation.Action;
import io.asynq.interop.random.Operation.Cancel;
import io.asynq.interop.random.Operation.Enqueue;
import io.asynq.interop.random.Operation.EnqueueAgain;
import io.asynq.interop.random.Operation.EnqueueTogether;
import io.asynq.interop.random.Operation.Pause;
import io.asynq.interop.random.Operation.Place;
import io.asynq.interop.random.Operation.ToAll;
import io.asynq.interop.random.Operation.ToMany;
import io.asynq.interop.random.Operation.ToOne;
import io.asynq.interop.random.Operation.UpdatePayload;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generates operations.
 */
final class Operations {

	private static final int TASKS = 30;

	private Operations() {
	}

	static Arbitrary<Operation> any() {
		return Arbitraries.frequencyOf(Tuple.of(12, enqueue()),
				Tuple.of(1, enqueue().list().ofMinSize(1).ofMaxSize(5).map(EnqueueTogether::new)),
				Tuple.of(1, number().map(EnqueueAgain::new)),
				Tuple.of(1, Combinators.combine(number(), Arbitraries.integers().between(4, 6)).as(UpdatePayload::new)),
				Tuple.of(2,
						Combinators.combine(Arbitraries.of(Action.class), number().list().ofMinSize(1).ofMaxSize(6))
							.as(ToMany::new)),
				Tuple.of(6, Combinators.combine(Arbitraries.of(Action.class), number()).as(ToOne::new)),
				Tuple.of(2,
						Combinators.combine(Arbitraries.of(Action.class), Arbitraries.of(TaskState.stored()))
							.as(ToAll::new)),
				Tuple.of(3, number().map(Cancel::new)), Tuple.of(1, Arbitraries.of(true, false).map(Pause::new)));
	}

	private static Arbitrary<Enqueue> enqueue() {
		return Combinators.combine(Arbitraries.of(Fate.class), Arbitraries.of(Place.class), Arbitraries.of(true, false),
				Arbitraries.integers().between(0, 3), Arbitraries.integers().between(1, 3), Arbitraries.of(true, false))
			.as(Enqueue::new);
	}

	private static Arbitrary<Integer> number() {
		return Arbitraries.integers().between(0, TASKS);
	}

}
