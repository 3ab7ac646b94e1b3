! What is beyond the language is named, and the rest still checked.
module m
  type, extends(base) :: derived
    integer :: i
  contains
    procedure :: get
    final :: done
  end type derived
  type :: param(k)
    integer, kind :: k
  end type
contains
  subroutine s(x)
    class(derived) :: x
    select type (x)
    type is (derived)
      i = 1
    class is (base)
      i = 2
    class default
      i = 3
    end select
    critical
    end critical
    select case (i)
    case (1 +)
      i = 4
    end select
    if (i == (3) then
      i = 5
    end if
    accept *, i
    type *, i
    call f(%val(i))
    i = j[1]
  end subroutine
  submodule (m) sub
end module
