package io.asynq.console.http;

import java.security.Principal;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.AsynqConsoleProperties.Access;
import io.asynq.console.AsynqConsoleProperties.ShowPayloads;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.jspecify.annotations.Nullable;

final class AccessRules {

	private static final String NOBODY = "anonymous";

	private final ConsoleRights rights;

	private final AsynqConsoleProperties properties;

	AccessRules(ConsoleRights rights, AsynqConsoleProperties properties) {
		this.rights = rights;
		this.properties = properties;
	}

	Access access() {
		return this.properties.effectiveAccess();
	}

	ConsoleCaller caller(Origin origin) {
		Principal principal = origin.principal();
		String name = (principal != null) ? principal.getName() : null;
		return new ConsoleCaller((name != null) ? name : NOBODY, (right, queue) -> isAllowed(origin, right, queue));
	}

	/** Returns 401 if logging in may help. */
	int refusalStatus(Origin origin) {
		return (this.rights.areByLogin() && origin.principal() == null) ? 401 : 403;
	}

	boolean areByQueue() {
		return this.rights.areByQueue();
	}

	String refusal(Origin origin) {
		return this.rights.refusal(origin);
	}

	boolean takesTokens() {
		return this.rights.tokenExchange() != null;
	}

	private boolean isAllowed(Origin origin, ConsoleRight right, @Nullable String queue) {
		if (access() == Access.NONE) {
			return false;
		}
		return switch (right) {
			case LOOK -> this.rights.allow(origin, right, queue);
			case SEE_PAYLOADS -> isShown(origin, queue);
			case ACT, ADMIN -> access() == Access.UNRESTRICTED && this.rights.allow(origin, right, queue);
		};
	}

	private boolean isShown(Origin origin, @Nullable String queue) {
		ShowPayloads show = this.properties.showPayloads();
		return show != ShowPayloads.NEVER && this.rights.allow(origin, ConsoleRight.LOOK, queue)
				&& (show == ShowPayloads.ALWAYS || this.rights.allow(origin, ConsoleRight.SEE_PAYLOADS, queue));
	}

}
