package io.asynq.interop.random;

import io.asynq.test.process.RequiresGoCondition;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.opentest4j.TestAbortedException;

/**
 * Does for jqwik what {@code @RequiresGo} does for Jupiter, whose conditions jqwik does
 * not ask; a container that aborts would fail there.
 */
final class SkippedWithoutGo implements SkipExecutionHook {

	@Override
	public SkipResult shouldBeSkipped(LifecycleContext context) {
		try {
			RequiresGoCondition.require();
			return SkipResult.doNotSkip();
		}
		catch (TestAbortedException ex) {
			return SkipResult.skip(ex.getMessage());
		}
	}

	@Override
	public PropagationMode propagateTo() {
		return PropagationMode.ALL_DESCENDANTS;
	}

}
