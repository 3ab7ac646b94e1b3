! Words with a slip: the rest is read as it was meant.
program recovery_slips
  implicit none
  integer :: i
  interface
    subroutine s(x)
      real :: x
    end subroutine
  end iterface
  type t
    integer :: k
  end tpye
  type(t) :: v
  do i = 1, 3
    v%k = i
  end doo
  call s(1.0)
end program
sbroutine shrink(a, n)
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: a(n)
  a = a/2
end subroutine
subroutine after
end subroutine
