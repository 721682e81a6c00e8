package io.asynq.payload;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DatabindException;

/**
 * Quotes nothing of what would be lost if it were written.
 */
final class UnwritableException extends DatabindException {

	UnwritableException(JsonGenerator json, String reason) {
		super(json, reason);
	}

}
