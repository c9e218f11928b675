"""The base of the models. They work with pydantic 2, and with pydantic 1.10 as Debian 12 has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pydantic

from ._base_errors import UnexpectedReplyError

M = TypeVar("M", bound="Model")
IS_PYDANTIC_2 = not pydantic.VERSION.startswith("1.")

if TYPE_CHECKING:
    from typing import Literal as Literal
else:

    class Literal:
        """For type checkers the values of today; at run time any of their type, as a later service may have more."""

        def __class_getitem__(cls, values: object) -> type:
            return type(values[0] if isinstance(values, tuple) else values)


def wire_name(name: str) -> str:
    """The name of a field in JSON: of `source_agent` it is `sourceAgent`, and of `from_` it is `from`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


if TYPE_CHECKING or IS_PYDANTIC_2:

    class _Base(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(
            alias_generator=wire_name, populate_by_name=True, extra="allow", protected_namespaces=()
        )

else:

    class _Base(pydantic.BaseModel):
        class Config:
            alias_generator = wire_name
            allow_population_by_field_name = True
            extra = "allow"
            smart_union = True

        model_validate = classmethod(lambda cls, value: cls.parse_obj(value))

        def model_dump(self, **options: bool) -> dict[str, object]:
            return self.dict(**options)


class Model(_Base):
    """What the service gives. A field that this version does not know is kept under its name in JSON."""

    @classmethod
    def from_wire(cls: type[M], value: object) -> M:
        """The model of a JSON value."""
        try:
            return cls.model_validate(value)
        except pydantic.ValidationError as error:
            advice = "Is it Portcullis, and not older than this client?"
            raise UnexpectedReplyError(f"The service gave something else than a {cls.__name__}. {advice}") from error

    def to_wire(self) -> dict[str, object]:
        """The fields that are set, under their names in JSON."""
        return self.model_dump(by_alias=True, exclude_unset=True)


if TYPE_CHECKING or IS_PYDANTIC_2:

    class RequestModel(Model):
        """What the service takes. A field that it does not have is refused."""

        model_config = pydantic.ConfigDict(extra="forbid")

else:

    class RequestModel(Model):
        class Config:
            extra = "forbid"
