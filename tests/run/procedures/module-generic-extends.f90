! generic names that extend intrinsics, kinds in generics, elemental generic over arrays
module g
  implicit none
  interface abs
    module procedure abs_text
  end interface
  interface max
    module procedure max_text
  end interface
  interface fill
    module procedure fill4, fill8, fillc
  end interface
contains
  elemental integer function abs_text(s)
    character(*), intent(in) :: s
    abs_text = len_trim(s)
  end function
  elemental character(3) function max_text(a, b)
    logical, intent(in) :: a
    character(*), intent(in) :: b
    max_text = merge(b(1:1)//'++', b(1:1)//'--', a)
  end function
  elemental subroutine fill4(x, v)
    real(4), intent(out) :: x
    integer, intent(in) :: v
    x = v
  end subroutine
  elemental subroutine fill8(x, v)
    real(8), intent(out) :: x
    integer, intent(in) :: v
    x = v*10
  end subroutine
  elemental subroutine fillc(x, v)
    character(*), intent(out) :: x
    integer, intent(in) :: v
    x = repeat(achar(64 + v), len(x))
  end subroutine
end module
program p
  use g
  implicit none
  real(4) :: a(3), b
  real(8) :: c(2,2)
  character(4) :: s(2)
  print *, abs(-3), abs('abc  '), abs([-1.5, 2.5]), abs(['a ', 'bb'])
  print *, max(1, 2), max(.true., 'x'), max([.true., .false.], 'yz')
  call fill(a, 3)
  call fill(b, 4)
  call fill(c, reshape([1,2,3,4], [2,2]))
  call fill(s, [1, 2])
  print *, a, b, c, s
end program
