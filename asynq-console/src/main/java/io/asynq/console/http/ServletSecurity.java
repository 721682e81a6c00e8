package io.asynq.console.http;

import io.asynq.console.http.ConsoleRequest.Csrf;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * What Spring Security does for pages of the console, if it is there.
 */
public interface ServletSecurity {

	ServletSecurity NONE = new ServletSecurity() {

		@Override
		public @Nullable Csrf csrf(HttpServletRequest request, HttpServletResponse response) {
			return null;
		}

		@Override
		public void refusePage(HttpServletRequest request, String reason) {
			// Nobody asks for a login
		}

	};

	@Nullable Csrf csrf(HttpServletRequest request, HttpServletResponse response);

	/**
	 * Throws what makes the application's filter chain ask for a login or show its page
	 * for those who may not; returns if no chain would.
	 */
	void refusePage(HttpServletRequest request, String reason);

}
