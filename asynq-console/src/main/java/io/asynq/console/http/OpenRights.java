package io.asynq.console.http;

import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Everybody may do everything, but see payloads, which nobody is authorized for.
 */
public final class OpenRights implements ConsoleRights {

	@Override
	public boolean allow(Origin origin, ConsoleRight right, @Nullable String queue) {
		return right != ConsoleRight.SEE_PAYLOADS;
	}

	@Override
	public String refusal(Origin origin) {
		return "The console is off";
	}

	@Override
	public boolean areByLogin() {
		return false;
	}

}
