package io.asynq.console.http;

import java.security.Principal;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.AsynqConsoleProperties.Access;
import io.asynq.console.AsynqConsoleProperties.ShowPayloads;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.jspecify.annotations.Nullable;

record AccessRules(ConsoleRights rights, AsynqConsoleProperties properties) {

	private static final String NOBODY = "anonymous";

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

	void requireLook(Origin origin, ConsoleCaller caller, @Nullable String queue) {
		if (!caller.may(ConsoleRight.LOOK, queue)) {
			int status = refusalStatus(origin);
			throw new ConsoleException(status, (status == 401) ? "unauthenticated" : "forbidden",
					this.rights.refusal(origin));
		}
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
