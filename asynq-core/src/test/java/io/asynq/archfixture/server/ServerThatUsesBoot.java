package io.asynq.archfixture.server;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.fixture.BootType;

public final class ServerThatUsesBoot {

	final @Nullable BootType used = null;

}
