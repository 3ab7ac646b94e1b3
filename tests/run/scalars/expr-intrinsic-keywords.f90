! Keywords of intrinsic functions whose argument has another name in another form.
program p
 print *, atan(x=0.5), atan(y=1.0,x=2.0), atan(1.0,2.0), bit_size(i=3)
end program
