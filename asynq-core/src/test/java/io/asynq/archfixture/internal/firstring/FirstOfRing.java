package io.asynq.archfixture.internal.firstring;

import io.asynq.archfixture.internal.secondring.SecondOfRing;
import org.jspecify.annotations.Nullable;

public final class FirstOfRing {

	final @Nullable SecondOfRing used = null;

}
