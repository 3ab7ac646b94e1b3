! -O2 3 ranks
program prog
  call work(12)
end program
subroutine work(n)
  implicit none
  integer :: n, i
  real(8) :: x(12)
!HPF$ DISTRIBUTE x(BLOCK)
  interface
    subroutine apply(f)
      external f
    end subroutine
  end interface
  do i = 1, n
    x(i) = i
  end do
  call apply(show)
contains
  subroutine show
    print *, x(n)
  end subroutine
end subroutine
subroutine apply(f)
  external f
  call f
end subroutine
