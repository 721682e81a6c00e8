package io.asynq.console.http;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.asynq.console.http.ConsoleRequest.Csrf;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.DeferredCsrfToken;

public record ServletSecurity(Supplier<List<SecurityFilterChain>> chains) {

	@Nullable Csrf csrf(HttpServletRequest request, HttpServletResponse response) {
		if (!(request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken shown)) {
			return null;
		}
		// Asked first: a new token gets its cookie then
		String token = shown.getToken();
		String stored = (request.getAttribute(DeferredCsrfToken.class.getName()) instanceof DeferredCsrfToken deferred)
				? deferred.get().getToken() : token;
		return new Csrf(shown.getHeaderName(), shown.getParameterName(), token, cookie(stored, request, response));
	}

	/** Throws what makes a filter chain ask for a login, if one would. */
	void refusePage(HttpServletRequest request, String reason) {
		boolean translated = this.chains.get()
			.stream()
			.filter((chain) -> chain.matches(request))
			.findFirst()
			.map((chain) -> chain.getFilters().stream().anyMatch(ExceptionTranslationFilter.class::isInstance))
			.orElse(false);
		if (translated) {
			throw new AccessDeniedException(reason);
		}
	}

	/** The cookie that has the token may have any name. */
	private static @Nullable String cookie(String token, HttpServletRequest request, HttpServletResponse response) {
		Collection<String> set = response.getHeaders(HttpHeaders.SET_COOKIE);
		Stream<String> pairs = set.stream().map((header) -> header.split(";")[0]);
		Cookie[] sent = request.getCookies();
		Stream<String> others = (sent != null)
				? Stream.of(sent).map((cookie) -> cookie.getName() + '=' + cookie.getValue()) : Stream.empty();
		return Stream.concat(pairs, others)
			.filter((pair) -> pair.endsWith('=' + token))
			.map((pair) -> pair.substring(0, pair.indexOf('=')))
			.findFirst()
			.orElse(null);
	}

}
