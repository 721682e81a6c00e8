package io.asynq.payload;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DatabindException;

/**
 * Says why something would be lost if it were written, and quotes nothing of it.
 */
final class UnwritableException extends DatabindException {

	UnwritableException(JsonGenerator json, String reason) {
		super(json, reason);
	}

}
