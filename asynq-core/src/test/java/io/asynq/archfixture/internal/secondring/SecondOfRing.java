package io.asynq.archfixture.internal.secondring;

import io.asynq.archfixture.internal.firstring.FirstOfRing;
import org.jspecify.annotations.Nullable;

public final class SecondOfRing {

	final @Nullable FirstOfRing used = null;

}
