package io.asynq.reliability.check;

import java.util.List;

/** Something that must hold after everything was processed. */
interface Invariant {

	String name();

	List<Finding> check(Evidence evidence);

}
