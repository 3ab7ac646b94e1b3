! COMPLEX dummies with VALUE: both parts arrive, and what follows them.
program cv
  complex(8) :: z = (-99.0, 199.0)
  complex :: w = (1.0, 2.0)
  call a(z, 5)
  call b(w, 6)
  call c(3, w, 2.5, z, 7)
contains
  subroutine a(z, k)
    complex(8), value :: z
    integer, value :: k
    print *, z, k
    z = z * 2
    print *, z
  end subroutine
  subroutine b(z, k)
    complex, value :: z
    integer, value :: k
    print *, z, k
  end subroutine
  subroutine c(i, w, x, z, k)
    complex, value :: w
    complex(8), value :: z
    real, value :: x
    integer, value :: i, k
    print *, i, w, x, z, k
  end subroutine
end program
